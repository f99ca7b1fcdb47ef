package io.weir.engine;

import io.weir.core.row.Balance;

import java.nio.file.Path;

/**
 * What one file holds, from its own bytes.
 *
 * @param misplacedRows rows of another route than the file's; 0 if files have no routes
 */
public record MeasuredFile(Path path, Balance balance, long misplacedRows) {
    /** A file without routes. */
    public MeasuredFile(Path path, Balance balance) {
        this(path, balance, 0);
    }
}
