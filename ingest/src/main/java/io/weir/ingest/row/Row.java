package io.weir.ingest.row;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The values of one row while a record is read, a slot for each column in the order of the table.
 * Bytes are not copied: they must stay as they are until the next row begins. One object serves
 * millions of rows; it is not thread-safe.
 */
public final class Row {
    private static final byte ABSENT = 0;
    private static final byte NULL = 1;
    private static final byte NUMBER = 2;
    private static final byte FLOATING = 3;
    private static final byte BYTES = 4;
    private static final byte DECIMAL = 5;
    private static final byte WIDE_DECIMAL = 6;
    private static final byte PAIR = 7;
    private static final int VALUE_CHARACTERS_MAX = 100;
    private static final int SCALE_BYTES = Integer.BYTES;

    private final Column[] columns;
    private final CanonicalType[] types;
    private final int[] byFieldId;
    private final byte[] given;
    private final byte[] forms;
    private final long[] numbers;
    private final long[] seconds;
    private final double[] doubles;
    private final byte[][] sources;
    private final int[] offsets;
    private final int[] lengths;
    private final @Nullable BigInteger[] wide;
    private final boolean nulls;
    private byte[] scratch = new byte[256];
    private int scratchUsed;
    private long nulled;

    /**
     * A row of a table.
     *
     * @param nulls whether a value that cannot be read becomes NULL
     */
    public Row(RowSchema schema, boolean nulls) {
        this.columns = schema.columns().toArray(Column[]::new);
        int count = columns.length;
        this.types =
                Arrays.stream(columns).map(Column::canonicalType).toArray(CanonicalType[]::new);
        this.byFieldId = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparing(i -> columns[i].fieldId()))
                .mapToInt(Integer::intValue)
                .toArray();
        this.given = new byte[count];
        this.forms = new byte[count];
        this.numbers = new long[count];
        this.seconds = new long[count];
        this.doubles = new double[count];
        this.sources = new byte[count][];
        this.offsets = new int[count];
        this.lengths = new int[count];
        this.wide = new BigInteger[count];
        this.nulls = nulls;
    }

    /** Forgets the values, but not those that every row has. */
    public void reset() {
        System.arraycopy(given, 0, forms, 0, forms.length);
        scratchUsed = 0;
    }

    /** Keeps the values set so far for every row to come. */
    public void giveToAll() {
        for (int slot = 0; slot < forms.length; slot++) {
            given[slot] = forms[slot];
            if (forms[slot] == BYTES) {
                sources[slot] = Arrays.copyOfRange(
                        sources[slot], offsets[slot], offsets[slot] + lengths[slot]);
                offsets[slot] = 0;
            }
        }
    }

    public Column column(int slot) {
        return columns[slot];
    }

    CanonicalType type(int slot) {
        return types[slot];
    }

    /** Whether a value or NULL was set. */
    public boolean isSet(int slot) {
        return forms[slot] != ABSENT;
    }

    /** How many values became NULL since the row was made. */
    public long nulled() {
        return nulled;
    }

    public void setNull(int slot) {
        forms[slot] = NULL;
    }

    /** An integer, a boolean (0 or 1), days, or microseconds, as the column's type says. */
    public void setLong(int slot, long value) {
        forms[slot] = NUMBER;
        numbers[slot] = value;
    }

    public void setDouble(int slot, double value) {
        forms[slot] = FLOATING;
        doubles[slot] = value;
    }

    /** The number {@code unscaled × 10^-scale}. */
    public void setDecimal(int slot, long unscaled, int scale) {
        forms[slot] = DECIMAL;
        numbers[slot] = unscaled;
        lengths[slot] = scale;
    }

    public void setDecimal(int slot, BigDecimal value) {
        forms[slot] = WIDE_DECIMAL;
        wide[slot] = value.unscaledValue();
        lengths[slot] = value.scale();
    }

    public void setUuid(int slot, long high, long low) {
        forms[slot] = PAIR;
        numbers[slot] = high;
        seconds[slot] = low;
    }

    /** UTF-8 text or octets; nothing checks them any more. */
    public void setBytes(int slot, byte[] source, int offset, int length) {
        forms[slot] = BYTES;
        sources[slot] = source;
        offsets[slot] = offset;
        lengths[slot] = length;
    }

    /** Room for bytes that live as long as this row. */
    public byte[] scratch(int length) {
        if (scratchUsed + length > scratch.length) {
            // Values that were set keep the old array.
            scratch = new byte[Math.max(scratch.length * 2, length)];
            scratchUsed = 0;
        }
        return scratch;
    }

    /** Takes bytes that were put into {@link #scratch}, and says where they begin. */
    public int takeScratch(int length) {
        int at = scratchUsed;
        scratchUsed += length;
        return at;
    }

    /** Where in {@link #scratch} the free room begins. */
    public int scratchFrom() {
        return scratchUsed;
    }

    /**
     * A value that the column cannot hold.
     *
     * @throws RecordException unless such values become NULL
     */
    public void setInvalid(int slot, byte[] source, int offset, int length, String reason)
            throws RecordException {
        if (!nulls || columns[slot].required()) {
            throw new RecordException(columns[slot].name(), text(source, offset, length), reason);
        }
        setNull(slot);
        nulled++;
    }

    private static String text(byte[] source, int offset, int length) {
        String text = new String(source, offset, length, StandardCharsets.UTF_8);
        return text.length() <= VALUE_CHARACTERS_MAX
                ? text
                : text.substring(0, VALUE_CHARACTERS_MAX) + "…";
    }

    /**
     * Checks that the row is whole.
     *
     * @return bytes that {@link #encode} writes at most
     */
    int bytesMost() throws RecordException {
        int most = 0;
        for (int slot = 0; slot < forms.length; slot++) {
            switch (forms[slot]) {
                case BYTES -> most += CanonicalRow.FIELD_BYTES + lengths[slot];
                case WIDE_DECIMAL ->
                    most += CanonicalRow.FIELD_BYTES
                            + SCALE_BYTES
                            + big(slot).bitLength() / Byte.SIZE
                            + 1;
                case ABSENT, NULL -> {
                    if (columns[slot].required()) {
                        throw new RecordException(
                                columns[slot].name(),
                                null,
                                "the column is required, there is no value");
                    }
                }
                default -> most += CanonicalRow.FIELD_BYTES + 2 * Long.BYTES;
            }
        }
        return most;
    }

    /** Writes the canonical bytes of a row that is whole. */
    void encode(CanonicalRow canonical) {
        for (int slot : byFieldId) {
            Column column = columns[slot];
            int id = column.fieldId();
            switch (forms[slot]) {
                case NUMBER -> {
                    if (types[slot] == CanonicalType.BOOLEAN) {
                        canonical.putBoolean(id, numbers[slot] != 0);
                    } else {
                        canonical.putLong(id, types[slot], numbers[slot]);
                    }
                }
                case BYTES ->
                    canonical.putBytes(
                            id, types[slot], sources[slot], offsets[slot], lengths[slot]);
                case FLOATING -> canonical.putFloating(id, doubles[slot]);
                case DECIMAL -> canonical.putDecimal(id, numbers[slot], lengths[slot]);
                case WIDE_DECIMAL -> canonical.putDecimal(id, big(slot), lengths[slot]);
                case PAIR -> canonical.putUuid(id, numbers[slot], seconds[slot]);
                default -> {}
            }
        }
    }

    private BigInteger big(int slot) {
        BigInteger value = wide[slot];
        if (value == null) {
            throw new IllegalStateException("No decimal in slot " + slot);
        }
        return value;
    }

    /** The value in Iceberg's internal form. */
    @Nullable
    Object internal(int slot) {
        return switch (forms[slot]) {
            case NUMBER ->
                switch (columns[slot].type().typeId()) {
                    case BOOLEAN -> numbers[slot] != 0;
                    case INTEGER, DATE -> Math.toIntExact(numbers[slot]);
                    default -> numbers[slot];
                };
            case BYTES ->
                types[slot] == CanonicalType.BINARY
                        ? ByteBuffer.wrap(Arrays.copyOfRange(
                                sources[slot], offsets[slot], offsets[slot] + lengths[slot]))
                        : trimmed(slot);
            case DECIMAL ->
                scaled(slot, new BigDecimal(BigInteger.valueOf(numbers[slot]), lengths[slot]));
            case WIDE_DECIMAL -> scaled(slot, new BigDecimal(big(slot), lengths[slot]));
            case FLOATING -> doubles[slot];
            case PAIR -> new UUID(numbers[slot], seconds[slot]);
            default -> null;
        };
    }

    private String trimmed(int slot) {
        String text =
                new String(sources[slot], offsets[slot], lengths[slot], StandardCharsets.UTF_8);
        return types[slot] == CanonicalType.PADDED_TEXT ? text.stripTrailing() : text;
    }

    private BigDecimal scaled(int slot, BigDecimal value) {
        int scale = ((org.apache.iceberg.types.Types.DecimalType) columns[slot].type()).scale();
        return value.setScale(scale);
    }

    /** Adds bytes that are equal for equal values of a slot, and returns the new length. */
    int keyOf(int slot, KeyBytes key) {
        byte form = forms[slot];
        key.put(form == ABSENT ? NULL : form);
        switch (form) {
            case NUMBER -> key.put(numbers[slot]);
            case DECIMAL -> {
                key.put(numbers[slot]);
                key.put(lengths[slot]);
            }
            case PAIR -> {
                key.put(numbers[slot]);
                key.put(seconds[slot]);
            }
            case FLOATING -> key.put(Double.doubleToLongBits(doubles[slot]));
            case BYTES -> key.put(sources[slot], offsets[slot], lengths[slot]);
            case WIDE_DECIMAL -> {
                byte[] bytes = big(slot).toByteArray();
                key.put(bytes, 0, bytes.length);
                key.put(lengths[slot]);
            }
            default -> {}
        }
        return key.length();
    }
}
