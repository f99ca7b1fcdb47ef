package io.weir.engine;

import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import net.openhft.hashing.LongTupleHashFunction;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * The digest as {@code docs/reference/digest.md} describes it, written from that page alone: slow,
 * with objects, and without any encoder of Weir. It has no columns with an initial default.
 */
final class SpecifiedDigest {
    private SpecifiedDigest() {}

    static Balance balance(RowSchema schema, List<List<@Nullable Object>> rows) {
        BigInteger sum = BigInteger.ZERO;
        for (List<@Nullable Object> row : rows) {
            long[] hash = LongTupleHashFunction.xx128().hashBytes(canonical(schema, row));
            BigInteger digest = new BigInteger(Long.toUnsignedString(hash[1]))
                    .clearBit(63)
                    .shiftLeft(64)
                    .add(new BigInteger(Long.toUnsignedString(hash[0])));
            sum = sum.add(digest);
        }
        return Balance.of(rows.size(), sum);
    }

    private static byte[] canonical(RowSchema schema, List<@Nullable Object> row) {
        List<Column> columns = new ArrayList<>(schema.columns());
        columns.sort(Comparator.comparing(Column::fieldId));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            for (Column column : columns) {
                Object value = row.get(schema.columns().indexOf(column));
                if (value != null) {
                    byte[] form = form(column, value);
                    out.writeInt(column.fieldId());
                    out.writeByte(tag(column));
                    out.writeInt(form.length);
                    out.write(form);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static int tag(Column column) {
        return switch (column.type().toString()) {
            case "boolean" -> 1;
            case "int", "long" -> 2;
            case "float", "double" -> 3;
            case "binary" -> 6;
            case "date" -> 7;
            case "time" -> 8;
            case "timestamp" -> 9;
            case "timestamptz" -> 10;
            case "uuid" -> 11;
            case "string" -> column.sourceType().startsWith("json") ? 12 : 5;
            default -> 4;
        };
    }

    private static byte[] form(Column column, Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        if (value instanceof Boolean truth) {
            out.writeByte(truth ? 1 : 0);
        } else if (value instanceof Integer || value instanceof Long) {
            out.writeLong(((Number) value).longValue());
        } else if (value instanceof Float || value instanceof Double) {
            double number = ((Number) value).doubleValue();
            out.writeLong(
                    Double.isNaN(number)
                            ? 0x7ff8000000000000L
                            : Double.doubleToRawLongBits(number));
        } else if (value instanceof BigDecimal decimal) {
            BigDecimal least =
                    decimal.signum() == 0 ? BigDecimal.ZERO : decimal.stripTrailingZeros();
            out.writeInt(least.scale());
            out.write(least.unscaledValue().toByteArray());
        } else if (value instanceof String text) {
            boolean padded = column.sourceType().startsWith("character(");
            out.write(
                    (padded ? text.replaceAll(" +$", "") : text).getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof byte[] binary) {
            out.write(binary);
        } else {
            out.writeLong(((UUID) value).getMostSignificantBits());
            out.writeLong(((UUID) value).getLeastSignificantBits());
        }
        return bytes.toByteArray();
    }
}
