package io.weir.bench;

import io.weir.capture.Capture;
import io.weir.capture.CaptureSpec;
import io.weir.capture.Captures;
import io.weir.capture.ChangeStream;
import io.weir.capture.StreamEvent;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.RowSchema;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.engine.MergeStrategy;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadSettings;
import io.weir.flow.replicate.Initial;
import io.weir.flow.replicate.ReplicateFlow;
import io.weir.flow.replicate.ReplicateJob;
import io.weir.flow.replicate.ReplicateListener;
import io.weir.flow.replicate.ReplicateReport;
import io.weir.flow.replicate.ReplicateSettings;
import io.weir.flow.replicate.ReplicateTable;
import io.weir.ledger.PostgresLedger;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.Sources;
import io.weir.source.TableSpec;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** A continuous replication in this process; ledger and catalog are beside the source. */
final class ReplicaSide implements AutoCloseable {
    private static final long ENGINE_BYTES = 512L << 20;
    private static final long LOG_ROWS_MAX = 100_000;
    private static final int AT_ONCE = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final double NANOS = 1e9;
    private static final String JOB = "shop";

    private final SourceConfig database;
    private final Path directory;
    private final PostgresLedger ledger;
    private final LakeCatalog catalog;
    private final Engine engine;
    private final Capture capture;

    ReplicaSide(SourceConfig database, Path directory) {
        this.database = database;
        this.directory = directory;
        this.capture = Captures.of(database);
        this.ledger = PostgresLedger.open(database.url(), database.user(), database.password());
        this.catalog = LakeCatalog.open(new CatalogConfig(
                "weir",
                database.url(),
                database.user(),
                database.password(),
                "file://" + directory.resolve("lake")));
        this.engine = Engine.open(new EngineConfig(
                ENGINE_BYTES,
                Runtime.getRuntime().availableProcessors(),
                directory.resolve("scratch")));
    }

    private static ReplicateJob job(String slot) {
        return new ReplicateJob(
                JOB,
                "bench",
                ChangingTables.NAMES.stream()
                        .map(name -> new ReplicateTable(
                                TableSpec.of("public." + name), target(name), PartitionBy.NOTHING))
                        .toList(),
                ChangingTables.PUBLICATION,
                slot,
                Duration.ZERO,
                MergeStrategy.ROW_HASH,
                Initial.SNAPSHOT,
                null,
                null,
                CaptureSpec.SLOT_BYTES_MAX,
                ReplicateJob.CUTS_KEPT_DEFAULT,
                null);
    }

    private static String target(String name) {
        return "shop." + name;
    }

    private ReplicateFlow flow(Cancellation stop) {
        return new ReplicateFlow(
                ledger,
                ledger,
                ledger.replicas(),
                catalog,
                engine,
                new ReplicateSettings(
                        LoadSettings.of("bench", AT_ONCE),
                        AT_ONCE,
                        () -> ENGINE_BYTES,
                        directory.resolve("buffers"),
                        LOG_ROWS_MAX),
                UUID::randomUUID,
                () -> ThreadLocalRandom.current().nextDouble(),
                InstantSource.system(),
                stop);
    }

    /** Loads the tables; the slot keeps what follows. */
    void load() {
        try (Source source = Sources.open(database)) {
            ReplicateReport report =
                    flow(new Cancellation()).once(job(JOB), source, capture, SILENT);
            if (!report.isVerified()) {
                throw new IllegalStateException("Not verified: " + report);
            }
        }
    }

    private static final ReplicateListener SILENT = new ReplicateListener() {};

    /** Goes on until it is told to stop. */
    void replicate(Cancellation stop, ReplicateListener listener) {
        try (Source source = Sources.open(database)) {
            flow(stop).forever(job(JOB), source, capture, listener);
        }
    }

    /** Keeps everything from now on for {@link #readAlone}. */
    void keepAside(String slot) {
        capture.createSlot(spec(slot));
    }

    /**
     * Reads the stream of a slot and does nothing with it.
     *
     * @return changes per second, from the first one on
     */
    double readAlone(String slot, long changes) {
        Map<String, RowSchema> schemas = new HashMap<>();
        for (String name : ChangingTables.NAMES) {
            schemas.put("public." + name, catalog.replica(target(name)).rows());
        }
        long read = 0;
        long start = 0;
        try (ChangeStream stream = capture.open(spec(slot), schemas)) {
            while (read < changes) {
                StreamEvent event = stream.next(PATIENCE);
                if (event instanceof StreamEvent.Change) {
                    if (read++ == 0) {
                        start = System.nanoTime();
                    }
                } else if (event instanceof StreamEvent.Commit commit) {
                    stream.confirm(commit);
                }
            }
        }
        return read / ((System.nanoTime() - start) / NANOS);
    }

    private static CaptureSpec spec(String slot) {
        return new CaptureSpec(
                ChangingTables.PUBLICATION,
                slot,
                ChangingTables.NAMES.stream()
                        .map(name -> TableSpec.of("public." + name))
                        .toList(),
                CaptureSpec.Identity.FULL,
                CaptureSpec.SLOT_BYTES_MAX);
    }

    /** Rows of a table of the lake. */
    long rows(String name) {
        return catalog.replica(target(name)).state().balance().rows();
    }

    @Override
    public void close() {
        engine.close();
        catalog.close();
        ledger.close();
    }
}
