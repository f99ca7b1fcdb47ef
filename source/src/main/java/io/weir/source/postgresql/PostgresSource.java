package io.weir.source.postgresql;

import io.weir.core.run.SnapshotToken;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.SourceSnapshot;
import io.weir.source.TableInspection;
import io.weir.source.TableSpec;

import java.time.Duration;
import java.util.List;

/** A PostgreSQL database. */
public final class PostgresSource implements Source {
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

    private final SourceConfig config;
    private final Duration lockTimeout;

    private PostgresSource(SourceConfig config, Duration lockTimeout) {
        this.config = config;
        this.lockTimeout = lockTimeout;
    }

    /**
     * Takes note of a source; nothing is connected yet.
     *
     * @throws io.weir.core.error.WeirException {@code CONFIG_INVALID} if the URL cannot be read
     */
    public static Source open(SourceConfig config) {
        return open(config, LOCK_TIMEOUT);
    }

    static Source open(SourceConfig config, Duration lockTimeout) {
        Endpoint.of(config);
        return new PostgresSource(config, lockTimeout);
    }

    @Override
    public List<TableInspection> inspect(List<TableSpec> specs) {
        try (PostgresSession session = PostgresSession.open(config, lockTimeout)) {
            Inspector inspector = new Inspector(session);
            return specs.stream()
                    .map(spec -> inspector.inspect(spec).inspection())
                    .toList();
        }
    }

    @Override
    public SourceSnapshot openSnapshot(List<TableSpec> tables, int readers) {
        return new SnapshotOpening(config, lockTimeout, tables).open(readers);
    }

    @Override
    public SourceSnapshot joinSnapshot(SnapshotToken token, List<TableSpec> tables, int readers) {
        return new SnapshotOpening(config, lockTimeout, tables).join(token, readers);
    }

    /** Connections belong to snapshots and end with them. */
    @Override
    public void close() {}
}
