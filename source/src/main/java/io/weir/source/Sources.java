package io.weir.source;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.source.postgresql.PostgresSource;

/** Picks the dialect of a source. */
public final class Sources {
    private static final String POSTGRESQL = "jdbc:postgresql:";

    private Sources() {}

    /**
     * A source by the prefix of its URL. Nothing is connected yet.
     *
     * @throws WeirException {@code CONFIG_INVALID} if no dialect reads such a URL
     */
    public static Source open(SourceConfig config) {
        if (config.url().startsWith(POSTGRESQL)) {
            return PostgresSource.open(config);
        }
        throw new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot open source " + config.name()
                        + ": no dialect reads its URL (supported=jdbc:postgresql://…)");
    }
}
