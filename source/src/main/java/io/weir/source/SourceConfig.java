package io.weir.source;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * How a source database is reached.
 *
 * @param name what the job file calls it; errors use this name
 * @param url the JDBC URL, such as {@code jdbc:postgresql://localhost:5432/shop}
 * @param password null where the database asks for none
 * @param readTimeout how long a reader waits for the next byte before it takes the server for gone;
 *     zero: forever. A view that sorts or counts sends its first byte late.
 */
public record SourceConfig(
        String name, String url, String user, @Nullable String password, Duration readTimeout) {
    public static final Duration READ_TIMEOUT = Duration.ofMinutes(10);

    public SourceConfig {
        if (readTimeout.isNegative()) {
            throw new IllegalArgumentException("A read timeout cannot be negative: " + readTimeout);
        }
    }

    /** With the usual {@link #READ_TIMEOUT}. */
    public SourceConfig(String name, String url, String user, @Nullable String password) {
        this(name, url, user, password, READ_TIMEOUT);
    }

    /** Neither the password nor the URL, which may carry one as a parameter. */
    @Override
    public String toString() {
        return "SourceConfig[name=" + name + ", user=" + user + "]";
    }
}
