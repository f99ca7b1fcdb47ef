package io.weir.app.config;

import org.jspecify.annotations.Nullable;

/**
 * How to reach a database. User and password may hold secret references; they are resolved by
 * {@link Secrets} in the process that connects and never printed.
 */
public record DatabaseConfig(
        String url, @Nullable String user, @Nullable String password) {
    @Override
    public String toString() {
        return "DatabaseConfig[url=" + url + "]";
    }
}
