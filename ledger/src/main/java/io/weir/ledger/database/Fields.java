package io.weir.ledger.database;

import io.weir.core.row.Balance;
import io.weir.core.run.Failure;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** Reads the columns of the current row, independent of the time zone of this machine. */
final class Fields {
    private final ResultSet rows;

    Fields(ResultSet rows) {
        this.rows = rows;
    }

    String text(String column) throws SQLException {
        return present(column, textOrNull(column));
    }

    @Nullable
    String textOrNull(String column) throws SQLException {
        return rows.getString(column);
    }

    long number(String column) throws SQLException {
        return present(column, numberOrNull(column));
    }

    @Nullable
    Long numberOrNull(String column) throws SQLException {
        long value = rows.getLong(column);
        return rows.wasNull() ? null : (Long) value;
    }

    int count(String column) throws SQLException {
        return Math.toIntExact(number(column));
    }

    boolean truth(String column) throws SQLException {
        return rows.getBoolean(column);
    }

    UUID uuid(String column) throws SQLException {
        return present(column, uuidOrNull(column));
    }

    @Nullable
    UUID uuidOrNull(String column) throws SQLException {
        return rows.getObject(column, UUID.class);
    }

    Instant instant(String column) throws SQLException {
        return present(column, instantOrNull(column));
    }

    @Nullable
    Instant instantOrNull(String column) throws SQLException {
        OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    <E extends Enum<E>> E constant(String column, Class<E> type) throws SQLException {
        return Enum.valueOf(type, text(column));
    }

    List<String> texts(String column) throws SQLException {
        Array array = present(column, rows.getArray(column));
        return List.of((String[]) array.getArray());
    }

    List<Integer> counts(String column) throws SQLException {
        Array array = present(column, rows.getArray(column));
        return List.of((Integer[]) array.getArray());
    }

    Balance balance(String prefix) throws SQLException {
        return present(prefix + "rows", balanceOrNull(prefix));
    }

    @Nullable
    Balance balanceOrNull(String prefix) throws SQLException {
        Long count = numberOrNull(prefix + "rows");
        BigDecimal sum = rows.getBigDecimal(prefix + "digest_sum");
        return count == null || sum == null ? null : Balance.of(count, sum.toBigIntegerExact());
    }

    @Nullable
    Failure failureOrNull() throws SQLException {
        String stage = textOrNull("failure_stage");
        if (stage == null) {
            return null;
        }
        return new Failure(stage, text("failure_code"), text("failure_message"));
    }

    private static <T> T present(String column, @Nullable T value) throws SQLException {
        if (value == null) {
            // null_value_not_allowed: the table and this code do not agree.
            throw new SQLException("column " + column + " is null", "22004");
        }
        return value;
    }
}
