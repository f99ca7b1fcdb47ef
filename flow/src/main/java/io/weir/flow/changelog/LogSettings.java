package io.weir.flow.changelog;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How change logs are kept.
 *
 * @param rowsMax after so many rows of all tables the logs are committed
 * @param ageMax so long a committed transaction waits at most for more to come
 * @param buffers a directory of this process alone for rows that wait
 */
public record LogSettings(long rowsMax, Duration ageMax, Path buffers) {
    public LogSettings {
        if (rowsMax <= 0) {
            throw new IllegalArgumentException("Invalid rows " + rowsMax + ": above 0");
        }
    }
}
