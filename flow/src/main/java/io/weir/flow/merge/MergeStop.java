package io.weir.flow.merge;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

/**
 * Why a window is not published.
 *
 * @param kind what is wrong, in words
 * @param key the key as text, {@code id=42}; empty if it concerns the whole table
 * @param expected what had to be there; of a row the columns that differ, {@code {price=1.50}}
 * @param found what is there, in the same form
 * @param place of the change in the log; 0 if it concerns none
 * @param ordinal of the change
 * @param command what to do about it
 */
public record MergeStop(
        ErrorCode code,
        String table,
        String kind,
        String key,
        String expected,
        String found,
        long place,
        long ordinal,
        String command)
        implements MergeAnswer {
    /** The same as an error. */
    public WeirException toException() {
        String facts = (key.isEmpty() ? "" : key + ", ")
                + "expected=" + expected + ", found=" + found
                + (place == 0 ? "" : ", place=" + place + ", ordinal=" + ordinal);
        return new WeirException(
                code,
                "Cannot merge changes into table " + table + ": " + kind + " (" + facts + ")",
                "Run " + command + ".",
                null);
    }
}
