package io.weir.ingest;

import io.weir.core.ledger.StreamLedger;
import io.weir.ingest.record.RecordWriter;
import io.weir.table.CatalogConfig;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/** What a connection was asked for. */
record ConnectionSettings(
        CatalogConfig catalog,
        String database,
        String table,
        List<@Nullable String> staticPartitions,
        String agent,
        @Nullable String source,
        int batchSize,
        Duration batchTimeout,
        RecordWriter writer,
        RecordPolicy policy,
        AutoCommit autoCommit,
        long memory,
        @Nullable StreamLedger ledger,
        Duration leaseTimeout,
        Timer timer) {
    String target() {
        return database + "." + table;
    }
}
