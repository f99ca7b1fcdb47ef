package io.weir.ledger.database;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.chunk.ChunkColumns;
import io.weir.ledger.event.EventDraft;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.partition.PartitionColumns;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * Binds columns of rows, one parameter each. A column is one array, because the driver and the
 * server read arrays faster than anything else that holds many rows; and its elements have a type
 * of Java that the driver sends in binary.
 */
final class MoveArrays {
    /** In one order always, so that two of these never wait for each other. */
    private static final Comparator<PartitionMove> ORDER =
            Comparator.<PartitionMove, UUID>comparing(
                            move -> move.after().runId().value())
                    .thenComparing(move -> move.after().ordinal());

    private final Connection connection;
    private final PreparedStatement statement;
    private int place;

    MoveArrays(Connection connection, PreparedStatement statement) {
        this.connection = connection;
        this.statement = statement;
    }

    /** The place of the next parameter. */
    int next() {
        return ++place;
    }

    /** One for each row, from 1. */
    <T> void places(List<T> rows) throws SQLException {
        set("bigint", LongStream.rangeClosed(1, rows.size()).boxed().toArray(Long[]::new));
    }

    <T> void texts(List<T> rows, Function<T, @Nullable String> column) throws SQLException {
        set("text", rows.stream().map(column).toArray(String[]::new));
    }

    <T> void longs(List<T> rows, ToLongFunction<T> column) throws SQLException {
        set("bigint", rows.stream().map(column::applyAsLong).toArray(Long[]::new));
    }

    <T> void numbers(List<T> rows, Function<T, @Nullable Long> column) throws SQLException {
        set("bigint", rows.stream().map(column).toArray(Long[]::new));
    }

    <T> void ints(List<T> rows, ToIntFunction<T> column) throws SQLException {
        set("integer", rows.stream().map(column::applyAsInt).toArray(Integer[]::new));
    }

    <T> void truths(List<T> rows, Predicate<T> column) throws SQLException {
        set("boolean", rows.stream().map(column::test).toArray(Boolean[]::new));
    }

    private void set(String type, @Nullable Object[] values) throws SQLException {
        statement.setArray(next(), connection.createArrayOf(type, values));
    }

    static List<PartitionMove> sorted(List<PartitionMove> moves) {
        return moves.stream().sorted(ORDER).toList();
    }

    /** What the event of a move says; its time is the database's. */
    static ObjectNode details(PartitionMove move) {
        List<RowChange> changes = new ArrayList<>();
        changes.add(PartitionColumns.changed(move.before(), move.after()));
        changes.addAll(ChunkColumns.added(move.chunks()));
        return new EventDraft(
                        Instant.EPOCH,
                        move.after().runId(),
                        move.after().id(),
                        move.name(),
                        changes)
                .details();
    }
}
