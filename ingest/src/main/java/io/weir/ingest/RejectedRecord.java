package io.weir.ingest;

import org.jspecify.annotations.Nullable;

/**
 * A record that cannot become a row of the table.
 *
 * @param number of the record on its connection, from 1
 * @param line where it begins in its stream, from 1; 0 if it came alone
 * @param column whose value is wrong; null if the record as a whole is
 * @param value the first characters of it; null if the record as a whole is wrong
 * @param reason in words
 * @param bytes the whole record as it came
 */
@SuppressWarnings("ArrayRecordComponent") // The bytes of one record, handed over once.
public record RejectedRecord(
        long number,
        long line,
        @Nullable String column,
        @Nullable String value,
        String reason,
        byte[] bytes) {
    /** As errors say it. */
    public String text() {
        StringBuilder text = new StringBuilder("Cannot take record " + number);
        if (line > 0) {
            text.append(" in line ").append(line);
        }
        text.append(": ");
        if (column != null) {
            text.append("column ").append(column).append(": ");
        }
        text.append(reason);
        if (value != null) {
            text.append(" (value=").append(value).append(')');
        }
        return text.toString();
    }
}
