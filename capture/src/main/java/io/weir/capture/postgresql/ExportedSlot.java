package io.weir.capture.postgresql;

import io.weir.capture.SlotSnapshot;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;
import io.weir.source.SourceConfig;

import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.ReplicationSlotInfo;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/**
 * The session that created a slot. The server keeps the state for others as long as this session
 * does nothing else, so nothing else is run on it.
 */
final class ExportedSlot implements SlotSnapshot {
    private static final String PLUGIN = "pgoutput";
    private static final int CONNECT_SECONDS = 10;

    private final SourceConfig config;
    private final Connection connection;
    private final LogSequenceNumber begin;
    private final String snapshot;

    private ExportedSlot(
            SourceConfig config, Connection connection, LogSequenceNumber begin, String snapshot) {
        this.config = config;
        this.connection = connection;
        this.begin = begin;
        this.snapshot = snapshot;
    }

    /**
     * Creates a slot; waits until the transactions that are open at the source ended.
     *
     * @param temporary whether it goes with the session
     */
    static SlotSnapshot create(SourceConfig config, String slot, boolean temporary) {
        Connection connection = connect(config);
        boolean made = false;
        try {
            var builder = connection
                    .unwrap(PGConnection.class)
                    .getReplicationAPI()
                    .createReplicationSlot()
                    .logical()
                    .withSlotName(slot)
                    .withOutputPlugin(PLUGIN);
            ReplicationSlotInfo info = (temporary ? builder.withTemporaryOption() : builder).make();
            made = true;
            return new ExportedSlot(
                    config, connection, info.getConsistentPoint(), info.getSnapshotName());
        } catch (SQLException e) {
            throw CaptureSession.failure(config, e);
        } finally {
            if (!made) {
                close(config, connection);
            }
        }
    }

    private static Connection connect(SourceConfig config) {
        Properties properties = new Properties();
        PGProperty.USER.set(properties, config.user());
        if (config.password() != null) {
            PGProperty.PASSWORD.set(properties, config.password());
        }
        PGProperty.REPLICATION.set(properties, "database");
        PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "9.4");
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_SECONDS);
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.APPLICATION_NAME.set(properties, "weir");
        try {
            @Nullable Connection connection = new Driver().connect(config.url(), properties);
            if (connection == null) {
                throw new WeirException(
                        ErrorCode.CONFIG_INVALID,
                        "Cannot capture source " + config.name() + ": the driver does not know its"
                                + " URL");
            }
            return connection;
        } catch (SQLException e) {
            throw CaptureSession.failure(config, e);
        }
    }

    @Override
    public Position position() {
        return Lsn.position(place());
    }

    @Override
    public long place() {
        return begin.asLong();
    }

    @Override
    public SnapshotToken token() {
        return new SnapshotToken(SnapshotToken.POSTGRESQL, snapshot);
    }

    @Override
    public void close() {
        close(config, connection);
    }

    private static void close(SourceConfig config, Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw CaptureSession.failure(config, e);
        }
    }
}
