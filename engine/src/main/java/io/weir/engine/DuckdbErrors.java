package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns what DuckDB says into our errors. Its JDBC driver sets neither SQLSTATE nor error number,
 * so the text decides: DuckDB begins it with the kind of the error.
 */
final class DuckdbErrors {
    private static final Pattern ARROW_STREAM =
            Pattern.compile("CDataJniException\\{errno=-?\\d+, message=(.*)}", Pattern.DOTALL);
    private static final Pattern CONSEQUENCE = Pattern.compile(
            "database has been invalidated.*Original error: \"(.*)\"", Pattern.DOTALL);
    private static final long NO_SPACE_BYTES = 64 << 10;

    private DuckdbErrors() {}

    /**
     * A failed write of a file.
     *
     * @param usableBytes what the file system had left just after the failure; the text of the
     *     operating system may be in any language
     */
    static WeirException write(Exception error, Path file, long usableBytes) {
        String reason = reason(error);
        if (isDiskFull(reason, usableBytes)) {
            return new WeirException(
                    ErrorCode.DISK_FULL,
                    "Cannot write file " + file + ": no space left (usable_bytes=" + usableBytes
                            + ")",
                    error);
        }
        return new WeirException(
                codeOf(reason), "Cannot write file " + file + ": " + reason, error);
    }

    /** A failed read of a file that should be whole. */
    static WeirException read(Exception error, Path file) {
        String reason = reason(error);
        String message = "Cannot read file " + file + ": " + reason;
        if (isOutOfMemory(reason)) {
            return new WeirException(ErrorCode.ENGINE_MEMORY_EXCEEDED, message, error);
        }
        return new WeirException(ErrorCode.FILE_UNREADABLE, message, error);
    }

    /** A failed scan of several files at once; what fails is more often the scan than a file. */
    static WeirException scan(Exception error, String what) {
        String reason = reason(error);
        String message = "Cannot " + what + ": " + reason;
        if (isDiskFull(reason, Long.MAX_VALUE)) {
            return new WeirException(ErrorCode.DISK_FULL, message, error);
        }
        return new WeirException(codeOf(reason), message, error);
    }

    /** A failed read of changes that others wrote: their values may fit no column. */
    static WeirException outside(Exception error, String what) {
        String reason = reason(error);
        boolean unfit = reason.startsWith("Conversion Error")
                || reason.startsWith("Out of Range Error")
                || reason.startsWith("Invalid Input Error: Type");
        return unfit
                ? new WeirException(
                        ErrorCode.LOG_CHANGE_INVALID, "Cannot " + what + ": " + reason, error)
                : scan(error, what);
    }

    /** A query that a person wrote; keeps the lines that point into it. */
    static WeirException query(Exception error) {
        String text = text(error);
        if (isOutOfMemory(text)) {
            return new WeirException(
                    ErrorCode.ENGINE_MEMORY_EXCEEDED,
                    "Cannot run the query: " + reason(error),
                    error);
        }
        return new WeirException(ErrorCode.QUERY_INVALID, "Cannot run the query: " + text, error);
    }

    /** Anything else, such as opening the engine. */
    static WeirException engine(Exception error, String what) {
        return new WeirException(
                ErrorCode.ENGINE_FAILED, "Cannot " + what + ": " + reason(error), error);
    }

    /** Whether an error only says that another one, which it quotes, broke the database before. */
    static boolean isConsequence(WeirException error) {
        Throwable cause = error.getCause();
        String message = cause == null ? null : cause.getMessage();
        return message != null && message.contains("database has been invalidated");
    }

    private static boolean isDiskFull(String reason, long usableBytes) {
        String lower = reason.toLowerCase(Locale.ROOT);
        return lower.contains("no space left on device")
                || lower.contains("disk quota exceeded")
                || (usableBytes < NO_SPACE_BYTES && lower.startsWith("io error"));
    }

    private static ErrorCode codeOf(String reason) {
        return isOutOfMemory(reason) ? ErrorCode.ENGINE_MEMORY_EXCEEDED : ErrorCode.ENGINE_FAILED;
    }

    private static boolean isOutOfMemory(String reason) {
        return reason.startsWith("Out of Memory Error");
    }

    /** The first line: what follows points into a statement that the reader never wrote. */
    private static String reason(Exception error) {
        String text = text(error);
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end).strip();
    }

    private static String text(Exception error) {
        String message = error.getMessage();
        if (message == null) {
            return error.getClass().getSimpleName();
        }
        Matcher stream = ARROW_STREAM.matcher(message);
        String text = (stream.find() ? stream.group(1) : message).strip();
        Matcher consequence = CONSEQUENCE.matcher(text);
        return consequence.find() ? "INTERNAL Error: " + consequence.group(1) : text;
    }
}
