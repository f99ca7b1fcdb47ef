package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.console.Texts;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.route.PartitionField;
import io.weir.core.route.PartitionTransform;
import io.weir.ingest.StreamingConnection;
import io.weir.ingest.StreamingException;
import io.weir.ingest.WeirStreamingConnection;
import io.weir.ingest.record.RecordStream;
import io.weir.ingest.record.RecordWriter;
import io.weir.table.LakeTable;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code weir ingest}: records from a stream into a table. */
@Command(
        name = "ingest",
        description = "Write records from the standard input into a table, in transactions.",
        mixinStandardHelpOptions = true)
public final class IngestCommand implements Callable<Integer> {
    private static final Pattern EVERY = Pattern.compile("([0-9]{1,6})(s|m)?");

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private RecordOptions records = new RecordOptions();

    @Mixin
    private TableOptions table = new TableOptions();

    @Option(
            names = "--partition",
            paramLabel = "COLUMN=VALUE",
            description = "A partition column that all rows have; without it each record has its"
                    + " own, at its end.")
    private Map<String, String> partition = new LinkedHashMap<>();

    @Option(
            names = "--commit-rows",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Rows of a transaction (default: ${DEFAULT-VALUE}).")
    private long commitRows;

    @Option(
            names = "--commit-every",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Commit after this time at the latest, such as 10s or 1m; 0 for never"
                    + " (default: ${DEFAULT-VALUE}).")
    private String commitEvery = "10s";

    @Option(
            names = "--source",
            paramLabel = "NAME",
            description = "Name of the stream: run again with the same stream, it goes on where"
                    + " the last commit ended.")
    private @Nullable String source;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "Read this file instead of the standard input.")
    private @Nullable Path input;

    @Option(
            names = "--rejects",
            paramLabel = "FILE",
            description = "Where rejected records go (default: INPUT.rejected.jsonl beside the"
                    + " input; for the standard input TABLE.rejected.jsonl, here).")
    private @Nullable Path rejects;

    @Override
    public Integer call() {
        long everySeconds = everySeconds();
        if (commitRows < 1) {
            throw invalid("--commit-rows is not positive (rows=" + commitRows + ")");
        }
        RecordWriter writer = records.writer();
        try (Composition house = served.in(ledger.compose())) {
            LakeTable target = table.open(house.catalog());
            WeirStreamingConnection.Builder builder = WeirStreamingConnection.newBuilder()
                    .withDatabase(table.database())
                    .withTable(table.name())
                    .withCatalog(house.catalogConfig())
                    .withAgentInfo("weir ingest")
                    .withLedger(house.work())
                    .withRecordWriter(writer)
                    .withStaticPartitionValues(partitionValues(target));
            if (source != null) {
                builder.withSource(source);
            }
            try (StreamingConnection connection = builder.connect();
                    RejectFile rejected = new RejectFile(rejects(), this::tellRejects);
                    InputStream in = input == null ? System.in : Files.newInputStream(input)) {
                return run(
                        connection, rejected, new RecordStream(in, writer.framing()), everySeconds);
            }
        } catch (StreamingException e) {
            throw new WeirException(e.code(), String.valueOf(e.getMessage()), e.hint(), e);
        } catch (IOException e) {
            throw invalid("the input cannot be read: " + e);
        }
    }

    private Path rejects() {
        if (rejects != null) {
            return rejects;
        }
        return input == null
                ? Path.of(table.target() + ".rejected.jsonl")
                : input.resolveSibling(input.getFileName() + ".rejected.jsonl");
    }

    private void tellRejects(Path file) {
        PrintWriter err = Terminal.err(spec);
        err.println("A record was rejected; such records go to " + file.toAbsolutePath());
        err.flush();
    }

    private int run(
            StreamingConnection connection,
            RejectFile rejected,
            RecordStream stream,
            long everySeconds)
            throws IOException, StreamingException {
        long done = source == null ? 0 : connection.lastCommitted(source).orElse(0);
        RecordPump pump = new RecordPump(connection, rejected, source != null, commitRows);
        PrintWriter err = Terminal.err(spec);
        long start = System.nanoTime();
        pump.run(stream, done, everySeconds, () -> {
            double seconds = (System.nanoTime() - start) / 1e9;
            err.println(Texts.count(pump.read(), "record") + ", " + Texts.bytes(pump.bytes()) + ", "
                    + Texts.count((long) (pump.read() / seconds)) + " records/s, "
                    + Texts.count(pump.committed().rows(), "row") + " committed, "
                    + Texts.count(rejected.count()) + " rejected");
            err.flush();
        });
        print(pump, rejected);
        return rejected.count() == 0 ? 0 : ErrorCode.RECORD_INVALID.kind().exitCode();
    }

    private void print(RecordPump pump, RejectFile rejected) {
        PrintWriter out = Terminal.out(spec);
        if (output.json()) {
            out.println(Json.line(Json.object()
                    .put("table", table.target())
                    .put("records", pump.read())
                    .put("skipped", pump.skipped())
                    .put("rows", pump.committed().rows())
                    .put("digest", pump.committed().digestText())
                    .put("transactions", pump.transactions())
                    .put("rejected", rejected.count())));
            return;
        }
        out.println(Texts.count(pump.committed().rows(), "row") + " in "
                + Texts.count(pump.transactions(), "transaction") + " into " + table.target()
                + ", balance " + pump.committed());
        if (pump.skipped() > 0) {
            out.println(Texts.count(pump.skipped(), "record") + " committed before.");
        }
        if (rejected.count() > 0) {
            out.println(
                    Texts.count(rejected.count(), "record") + " rejected, see " + rejected.path());
        }
    }

    private List<@Nullable String> partitionValues(LakeTable target) {
        Map<String, String> left = new LinkedHashMap<>(partition);
        List<@Nullable String> values = new ArrayList<>();
        for (PartitionField field : target.partitionBy().fields()) {
            if (field.transform() == PartitionTransform.IDENTITY && !partition.isEmpty()) {
                String value = left.remove(field.column());
                if (value == null) {
                    throw invalid("--partition does not say " + field.column());
                }
                values.add(value);
            }
        }
        if (!left.isEmpty()) {
            throw invalid("the table is not partitioned by " + String.join(", ", left.keySet()));
        }
        return values;
    }

    private long everySeconds() {
        Matcher matcher = EVERY.matcher(commitEvery);
        if (!matcher.matches()) {
            throw invalid("--commit-every is no time such as 10s (time=" + commitEvery + ")");
        }
        return Long.parseLong(matcher.group(1)) * ("m".equals(matcher.group(2)) ? 60 : 1);
    }

    private WeirException invalid(String reason) {
        return new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot ingest into " + table.target() + ": " + reason,
                "weir ingest --help lists the options.",
                null);
    }
}
