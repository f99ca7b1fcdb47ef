package io.weir.ingest;

import java.time.Duration;

/**
 * When a connection commits by itself. A write begins a transaction where none is open.
 *
 * @param rows at most in one transaction; 0 for any number
 * @param bytes of records at most in one transaction; 0 for any number
 * @param age of a transaction at most; zero for any age
 */
public record AutoCommit(long rows, long bytes, Duration age) {
    /** Only the caller commits. */
    public static final AutoCommit OFF = new AutoCommit(0, 0, Duration.ZERO);

    public AutoCommit {
        if (rows < 0 || bytes < 0 || age.isNegative()) {
            throw new IllegalArgumentException(
                    "Invalid auto-commit: rows, bytes and age are not negative");
        }
    }

    public static AutoCommit everyRows(long rows) {
        return new AutoCommit(rows, 0, Duration.ZERO);
    }

    public AutoCommit orBytes(long most) {
        return new AutoCommit(rows, most, age);
    }

    public AutoCommit orAge(Duration most) {
        return new AutoCommit(rows, bytes, most);
    }

    boolean isOn() {
        return rows > 0 || bytes > 0 || !age.isZero();
    }

    boolean isDue(long rowsNow, long bytesNow) {
        return (rows > 0 && rowsNow >= rows) || (bytes > 0 && bytesNow >= bytes);
    }
}
