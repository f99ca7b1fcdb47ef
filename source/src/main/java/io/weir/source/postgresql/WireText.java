package io.weir.source.postgresql;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.UUID;

/** Values of the wire as people read them in messages; close to what the server writes. */
final class WireText {
    private static final int TEXT_MAX = 100;
    private static final long DAY_MICROS = 86_400_000_000L;

    private WireText() {}

    static String of(WireType wire, byte[] bytes, int at, int length) {
        return switch (wire) {
            case BOOLEAN -> bytes[at] != 0 ? "true" : "false";
            case INT2 -> Short.toString(Wire.shortAt(bytes, at));
            case INT4 -> Integer.toString(Wire.intAt(bytes, at));
            case INT8 -> Long.toString(Wire.longAt(bytes, at));
            case FLOAT4 -> Float.toString(Float.intBitsToFloat(Wire.intAt(bytes, at)));
            case FLOAT8 -> Double.toString(Double.longBitsToDouble(Wire.longAt(bytes, at)));
            case NUMERIC -> WireNumeric.text(bytes, at);
            case TEXT -> text(bytes, at, length);
            case JSONB -> text(bytes, at + 1, length - 1);
            case BYTEA -> hex(bytes, at, length);
            case DATE -> date(Wire.intAt(bytes, at));
            case TIME -> time(Wire.longAt(bytes, at));
            case TIMESTAMP -> timestamp(Wire.longAt(bytes, at), "");
            case TIMESTAMP_TZ -> timestamp(Wire.longAt(bytes, at), "+00");
            case UUID -> new UUID(Wire.longAt(bytes, at), Wire.longAt(bytes, at + 8)).toString();
        };
    }

    private static String text(byte[] bytes, int at, int length) {
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX - 1) + "…";
    }

    private static String hex(byte[] bytes, int at, int length) {
        int shown = Math.min(length, TEXT_MAX / 2);
        String hex = "\\x" + HexFormat.of().formatHex(bytes, at, at + shown);
        return shown == length ? hex : hex + "…";
    }

    private static String date(int days) {
        if (days == Integer.MAX_VALUE) {
            return "infinity";
        }
        if (days == Integer.MIN_VALUE) {
            return "-infinity";
        }
        LocalDate date = LocalDate.ofEpochDay((long) days + Wire.EPOCH_DAYS);
        return day(date) + era(date);
    }

    private static String day(LocalDate date) {
        return digits(date.get(ChronoField.YEAR_OF_ERA), 4) + "-" + digits(date.getMonthValue(), 2)
                + "-" + digits(date.getDayOfMonth(), 2);
    }

    private static String digits(int value, int width) {
        String text = Integer.toString(value);
        return "0".repeat(Math.max(0, width - text.length())) + text;
    }

    private static String era(LocalDate date) {
        return date.getYear() <= 0 ? " BC" : "";
    }

    private static String time(long micros) {
        return micros >= DAY_MICROS
                ? "24:00:00"
                : LocalTime.ofNanoOfDay(micros * 1000).toString();
    }

    private static String timestamp(long micros, String zone) {
        if (micros == Long.MAX_VALUE) {
            return "infinity";
        }
        if (micros == Long.MIN_VALUE) {
            return "-infinity";
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(micros, DAY_MICROS) + Wire.EPOCH_DAYS);
        LocalTime time = LocalTime.ofNanoOfDay(Math.floorMod(micros, DAY_MICROS) * 1000);
        String seconds = time.getSecond() == 0 && time.getNano() == 0 ? time + ":00" : "" + time;
        return day(date) + " " + seconds + zone + era(date);
    }
}
