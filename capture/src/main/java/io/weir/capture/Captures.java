package io.weir.capture;

import io.weir.capture.postgresql.PostgresCapture;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.source.SourceConfig;

/** Picks the dialect of a source. */
public final class Captures {
    private static final String POSTGRESQL = "jdbc:postgresql:";

    private Captures() {}

    /**
     * The changes of a source, by the prefix of its URL. Nothing is connected yet.
     *
     * @throws WeirException {@code CONFIG_INVALID} if no dialect reads such a URL
     */
    public static Capture of(SourceConfig config) {
        if (config.url().startsWith(POSTGRESQL)) {
            return PostgresCapture.of(config);
        }
        throw new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot capture source " + config.name()
                        + ": no dialect reads the changes behind its URL"
                        + " (supported=jdbc:postgresql://…)");
    }
}
