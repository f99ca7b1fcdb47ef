package io.weir.source;

import org.jspecify.annotations.Nullable;

/**
 * How a source database is reached.
 *
 * @param name what the job file calls it; errors use this name
 * @param url the JDBC URL, such as {@code jdbc:postgresql://localhost:5432/shop}
 * @param password null where the database asks for none
 */
public record SourceConfig(
        String name, String url, String user, @Nullable String password) {
    /** Neither the password nor the URL, which may carry one as a parameter. */
    @Override
    public String toString() {
        return "SourceConfig[name=" + name + ", user=" + user + "]";
    }
}
