package io.weir.bench;

import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.PublishMode;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadFlow;
import io.weir.flow.load.LoadJob;
import io.weir.flow.load.LoadListener;
import io.weir.flow.load.LoadSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.Sources;
import io.weir.source.TableSpec;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Weir in this process, with its ledger and its catalog in the database of the source. */
final class WeirSide implements AutoCloseable {
    private static final long ENGINE_BYTES = 384L << 20;
    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");
    private static final long KIB = 1024;
    private static final double MEGABYTE = 1e6;

    private final SourceConfig database;
    private final PostgresLedger ledger;
    private final LakeCatalog catalog;
    private final Engine engine;

    private WeirSide(
            SourceConfig database, PostgresLedger ledger, LakeCatalog catalog, Engine engine) {
        this.database = database;
        this.ledger = ledger;
        this.catalog = catalog;
        this.engine = engine;
    }

    static WeirSide open(SourceConfig database, Path directory) {
        int cores = Runtime.getRuntime().availableProcessors();
        return new WeirSide(
                database,
                PostgresLedger.open(database.url(), database.user(), database.password()),
                LakeCatalog.open(new CatalogConfig(
                        "weir",
                        database.url(),
                        database.user(),
                        database.password(),
                        "file://" + directory.resolve("lake"))),
                Engine.open(new EngineConfig(ENGINE_BYTES, cores, directory.resolve("scratch"))));
    }

    /** Replaces the table of the same name in the lake. */
    void load(String table, long rows, MetricPlan.Verify verify) {
        LoadJob job = new LoadJob(
                table,
                database.name(),
                TableSpec.of("public." + table),
                "bench." + table,
                PublishMode.REPLACE,
                verify,
                false,
                LoadJob.PARTITION_BYTES_DEFAULT,
                LoadJob.CHUNK_BYTES_DEFAULT);
        LoadFlow flow = new LoadFlow(
                ledger,
                ledger,
                catalog,
                engine,
                LoadSettings.of("bench", Runtime.getRuntime().availableProcessors()),
                UUID::randomUUID,
                new Cancellation());
        try (Source source = Sources.open(database)) {
            String key = UUID.randomUUID().toString();
            RunDetail detail =
                    flow.load(source, List.of(job), key, new LoadListener() {}).get(0);
            if (detail.run().extracted().rows() != rows) {
                throw new IllegalStateException("Loaded " + detail.run().extracted());
            }
        }
    }

    /** The most memory that this process ever had, in millions of bytes. */
    static double peakMegabytes() throws IOException {
        String status = Files.readString(Path.of("/proc/self/status"));
        Matcher matcher = PEAK.matcher(status);
        if (!matcher.find()) {
            throw new IllegalStateException("Cannot read the peak of memory: " + status);
        }
        return Long.parseLong(matcher.group(1)) * KIB / MEGABYTE;
    }

    @Override
    public void close() {
        engine.close();
        catalog.close();
        ledger.close();
    }
}
