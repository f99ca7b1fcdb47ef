package io.weir.ingest.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;

import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.ingest.row.RecordException;
import io.weir.ingest.row.Row;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text of one value into the slot of its column; makes no object on the usual way. */
final class ValueReader {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int DIGITS_OF_LONG = 18;
    private static final Pattern LENGTH = Pattern.compile("(?:character|bpchar)[^(]*\\((\\d+)\\)");

    private final int slot;
    private final Type type;
    private final boolean narrow;
    private final int characters;
    private final boolean json;

    ValueReader(int slot, Column column) {
        this.slot = slot;
        this.type = column.type();
        this.narrow = type.typeId() == Type.TypeID.INTEGER;
        Matcher length = LENGTH.matcher(column.sourceType());
        this.characters = length.find() ? Integer.parseInt(length.group(1)) : Integer.MAX_VALUE;
        this.json = column.canonicalType() == CanonicalType.JSON;
        if (column.sourceType().equals("jsonb")) {
            throw new IllegalArgumentException("Cannot write column " + column.name()
                    + ": it holds jsonb as PostgreSQL prints it, and only that can; json and text"
                    + " columns take documents as they are");
        }
    }

    /** Reads a value that is not NULL. */
    void read(byte[] b, int from, int length, Row row) throws RecordException {
        switch (type.typeId()) {
            case INTEGER, LONG -> integer(b, from, length, row);
            case STRING -> text(b, from, length, row);
            case BOOLEAN -> bool(b, from, length, row);
            case FLOAT, DOUBLE -> floating(b, from, length, row);
            case DECIMAL -> decimal(b, from, length, row);
            case DATE -> time(TimeText.date(b, from, length), "a date", b, from, length, row);
            case TIME -> time(TimeText.time(b, from, length), "a time", b, from, length, row);
            case TIMESTAMP -> {
                boolean zoned = ((Types.TimestampType) type).shouldAdjustToUTC();
                long micros = TimeText.timestamp(b, from, length, zoned);
                String what = zoned ? "a timestamp with an offset or Z" : "a timestamp";
                time(micros, what, b, from, length, row);
            }
            case UUID -> uuid(b, from, length, row);
            case BINARY -> row.setBytes(slot, b, from, length);
            case FIXED -> fixed(b, from, length, row);
            default -> throw new IllegalStateException("No text form of type " + type);
        }
    }

    private void integer(byte[] b, int from, int length, Row row) throws RecordException {
        int end = from + length;
        int at = from;
        boolean negative = length > 0 && b[at] == '-';
        if (negative || (length > 0 && b[at] == '+')) {
            at++;
        }
        int digits = end - at;
        if (digits == 0) {
            row.setInvalid(slot, b, from, length, "not a whole number");
            return;
        }
        long value = 0;
        for (; at < end; at++) {
            int digit = b[at] - '0';
            if (digit < 0 || digit > 9) {
                row.setInvalid(slot, b, from, length, "not a whole number");
                return;
            }
            // Counted down, because there is one more negative number.
            if (digits > DIGITS_OF_LONG && value < (Long.MIN_VALUE + digit) / 10) {
                row.setInvalid(slot, b, from, length, "out of range of type " + type);
                return;
            }
            value = value * 10 - digit;
        }
        boolean tooLarge = !negative && value == Long.MIN_VALUE;
        long signed = negative ? value : -value;
        if (tooLarge || (narrow && signed != (int) signed)) {
            row.setInvalid(slot, b, from, length, "out of range of type " + type);
            return;
        }
        row.setLong(slot, signed);
    }

    private void text(byte[] b, int from, int length, Row row) throws RecordException {
        int count = Utf8.characters(b, from, length);
        if (count < 0) {
            row.setInvalid(slot, b, from, length, "not UTF-8");
        } else if (count > characters) {
            row.setInvalid(
                    slot,
                    b,
                    from,
                    length,
                    "longer than the column (characters=" + count + ", most=" + characters + ")");
        } else if (json && !isJson(b, from, length)) {
            row.setInvalid(slot, b, from, length, "not one JSON value");
        } else {
            row.setBytes(slot, b, from, length);
        }
    }

    /** Whether this is one document and nothing else; it is kept byte for byte. */
    private static boolean isJson(byte[] b, int from, int length) {
        try (JsonParser parser = JSON.createParser(b, from, length)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    private void bool(byte[] b, int from, int length, Row row) throws RecordException {
        if (is(b, from, length, "true")) {
            row.setLong(slot, 1);
        } else if (is(b, from, length, "false")) {
            row.setLong(slot, 0);
        } else {
            row.setInvalid(slot, b, from, length, "neither true nor false");
        }
    }

    private static boolean is(byte[] b, int from, int length, String word) {
        if (length != word.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if ((b[from + i] | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void floating(byte[] b, int from, int length, Row row) throws RecordException {
        String text = new String(b, from, length, StandardCharsets.ISO_8859_1);
        boolean plain = !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
        char last = plain ? text.charAt(text.length() - 1) : ' ';
        // Java alone takes 1f, 1d and hexadecimal numbers.
        if (!plain
                || "fFdD".indexOf(last) >= 0
                || text.indexOf('x') >= 0
                || text.indexOf('X') >= 0) {
            row.setInvalid(slot, b, from, length, "not a number");
            return;
        }
        try {
            boolean isFloat = type.typeId() == Type.TypeID.FLOAT;
            double value = isFloat ? Float.parseFloat(text) : Double.parseDouble(text);
            if (Double.isInfinite(value) && !text.endsWith("Infinity")) {
                row.setInvalid(slot, b, from, length, "out of range of type " + type);
                return;
            }
            row.setDouble(slot, value);
        } catch (NumberFormatException e) {
            row.setInvalid(slot, b, from, length, "not a number");
        }
    }

    private void decimal(byte[] b, int from, int length, Row row) throws RecordException {
        Types.DecimalType wanted = (Types.DecimalType) type;
        int end = from + length;
        int at = from;
        boolean negative = length > 0 && b[at] == '-';
        if (negative || (length > 0 && b[at] == '+')) {
            at++;
        }
        long unscaled = 0;
        int digits = 0;
        int scale = -1;
        for (; at < end && digits <= DIGITS_OF_LONG; at++) {
            int digit = b[at] - '0';
            if (digit >= 0 && digit <= 9) {
                unscaled = unscaled * 10 + digit;
                digits++;
                scale += scale >= 0 ? 1 : 0;
            } else if (b[at] == '.' && scale < 0) {
                scale = 0;
            } else {
                break;
            }
        }
        boolean read = at == end && digits > 0 && digits <= DIGITS_OF_LONG;
        int found = Math.max(scale, 0);
        if (read
                && found <= wanted.scale()
                && digits - found <= wanted.precision() - wanted.scale()) {
            row.setDecimal(slot, negative ? -unscaled : unscaled, found);
            return;
        }
        wideDecimal(wanted, b, from, length, row);
    }

    private void wideDecimal(Types.DecimalType wanted, byte[] b, int from, int length, Row row)
            throws RecordException {
        BigDecimal value;
        try {
            String text = new String(b, from, length, StandardCharsets.ISO_8859_1);
            value = new BigDecimal(text);
        } catch (NumberFormatException e) {
            row.setInvalid(slot, b, from, length, "not a number");
            return;
        }
        BigDecimal plain = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        if (plain.scale() > wanted.scale()) {
            row.setInvalid(
                    slot,
                    b,
                    from,
                    length,
                    "more digits behind the point than " + wanted + " holds");
        } else if (plain.precision() - plain.scale() > wanted.precision() - wanted.scale()) {
            row.setInvalid(slot, b, from, length, "out of range of type " + wanted);
        } else {
            row.setDecimal(slot, plain);
        }
    }

    private void time(long value, String what, byte[] b, int from, int length, Row row)
            throws RecordException {
        if (value == TimeText.NONE) {
            row.setInvalid(slot, b, from, length, "not " + what);
        } else {
            row.setLong(slot, value);
        }
    }

    private void uuid(byte[] b, int from, int length, Row row) throws RecordException {
        long high = 0;
        long low = 0;
        int digits = 0;
        boolean good = length == 36;
        for (int i = 0; good && i < length; i++) {
            byte c = b[from + i];
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                good = c == '-';
                continue;
            }
            int digit = Character.digit(c, 16);
            good = digit >= 0;
            high = digits < 16 ? high << 4 | digit : high;
            low = digits >= 16 ? low << 4 | digit : low;
            digits++;
        }
        if (good) {
            row.setUuid(slot, high, low);
        } else {
            row.setInvalid(slot, b, from, length, "not a UUID");
        }
    }

    private void fixed(byte[] b, int from, int length, Row row) throws RecordException {
        int wanted = ((Types.FixedType) type).length();
        if (length == wanted) {
            row.setBytes(slot, b, from, length);
        } else {
            row.setInvalid(
                    slot, b, from, length, "not " + wanted + " bytes (bytes=" + length + ")");
        }
    }
}
