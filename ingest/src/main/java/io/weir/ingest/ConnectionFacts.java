package io.weir.ingest;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.ingest.commit.TableCommitter;
import io.weir.ingest.row.RouteLimitException;
import io.weir.ingest.row.RowBuffer;
import io.weir.table.IngestLook;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What a connection is and which state it is in, and the errors that follow from it. */
abstract class ConnectionFacts implements StreamingConnection {
    final ConnectionSettings settings;
    final ConnectionStats stats = new ConnectionStats();
    final TableCommitter committer;
    final TransactionLease lease;
    Intake intake;

    @Nullable
    TransactionBatch batch;

    @Nullable
    Long sequence;

    /** What a timer met when nobody listened. */
    @Nullable
    StreamingException postponed;

    volatile boolean closed;
    boolean shut;

    ConnectionFacts(ConnectionSettings settings, TableCommitter committer, Intake intake) {
        this.settings = settings;
        this.committer = committer;
        this.intake = intake;
        this.lease = new TransactionLease(settings, stats);
    }

    /** Hive's names have no case; a table that has is found under its exact name first. */
    static TableCommitter committer(ConnectionSettings settings) throws StreamingException {
        try {
            return TableCommitter.of(settings.catalog(), settings.target());
        } catch (WeirException e) {
            String lower = settings.target().toLowerCase(Locale.ROOT);
            if (e.code() != ErrorCode.TARGET_TABLE_NOT_FOUND || lower.equals(settings.target())) {
                throw connectError(e);
            }
            try {
                return TableCommitter.of(settings.catalog(), lower);
            } catch (WeirException again) {
                throw connectError(again);
            }
        }
    }

    /** The table for a transaction that begins. */
    final IngestLook look() throws StreamingException {
        stats.catalogCalls.increment();
        try {
            return committer.look();
        } catch (WeirException e) {
            throw StreamingException.of(e);
        }
    }

    static StreamingException connectError(WeirException e) {
        StreamingException error = StreamingException.of(e);
        return error instanceof TransactionError
                ? new ConnectionError(e.code(), e.text(), e)
                : error;
    }

    final InvalidTransactionState state(String verb, String reason) {
        return new InvalidTransactionState(
                ErrorCode.INGEST_STATE_MISMATCH,
                "Cannot " + verb + " on table " + settings.target() + ": " + reason,
                null);
    }

    final void requireSource(long wanted) throws InvalidTransactionState {
        if (settings.source() == null) {
            throw state(
                    "use sequence " + wanted,
                    "only a connection with a source numbers its transactions");
        }
    }

    final StreamingIOFailure ioFailure(Exception e) {
        String text = String.valueOf(e.getMessage());
        return new StreamingIOFailure(
                text.endsWith("No space left on device")
                        ? ErrorCode.DISK_FULL
                        : ErrorCode.TABLE_COMMIT_FAILED,
                "Cannot write rows of table " + settings.target() + ": " + text,
                e);
    }

    static PartitionCreationFailed tooManyPartitions(long record, RouteLimitException e) {
        return new PartitionCreationFailed(
                ErrorCode.RECORD_INVALID,
                "Cannot take record " + record + ": " + e.getMessage(),
                e);
    }

    @Override
    public final ConnectionStats getConnectionStats() {
        return stats;
    }

    @Override
    public final String getDatabase() {
        return settings.database();
    }

    @Override
    public final String getTable() {
        return settings.table();
    }

    @Override
    public final List<@Nullable String> getStaticPartitionValues() {
        return Collections.unmodifiableList(settings.staticPartitions());
    }

    @Override
    public final String getAgentInfo() {
        return settings.agent();
    }

    final boolean isOpen() {
        return batch != null && batch.current() == TxnState.OPEN;
    }

    final void requireUsable(String verb) throws StreamingException {
        if (closed) {
            throw state(verb, "Streaming connection is closed already.");
        }
        StreamingException earlier = postponed;
        if (earlier != null) {
            postponed = null;
            throw earlier;
        }
    }

    final void requireOpen(String verb) throws StreamingException {
        requireUsable(verb);
        if (batch == null) {
            throw state(verb, "Transaction batch is null. Missing beginTransaction?");
        }
        if (!isOpen()) {
            throw state(verb, "Transaction state is not OPEN. Missing beginTransaction?");
        }
    }

    @Override
    public final TxnState getCurrentTransactionState() {
        return shut || batch == null ? TxnState.INACTIVE : batch.current();
    }

    @Override
    public final int remainingTransactions() {
        return batch == null ? 0 : batch.remaining();
    }

    @Override
    public final String toTransactionString() {
        return batch == null
                ? "No transaction yet on " + this
                : "TxnStatus[" + batch.letters() + "] Sequence=" + sequence + " on " + this;
    }

    @Override
    public final String toString() {
        return "{catalog: " + settings.catalog().name() + ", database: " + settings.database()
                + ", table: " + settings.table() + ", agent-info: " + settings.agent() + "}";
    }

    @Override
    public final Set<String> getPartitions() {
        List<Column> columns = intake.look().schema().columns();
        Set<String> names = new TreeSet<>();
        for (RowBuffer buffer : intake.rows().buffers()) {
            names.add(intake.look().partitionBy().text(buffer.route(), columns));
        }
        return names;
    }

    @Override
    public final boolean isPartitionedTable() {
        return Intake.hasPartitionColumns(intake.look());
    }

    @Override
    public final boolean isDynamicPartitioning() {
        return isPartitionedTable() && settings.staticPartitions().isEmpty();
    }
}
