package io.weir.engine;

import io.weir.core.row.Balance;

import java.nio.file.Path;

/**
 * What one file holds, from its own bytes.
 *
 * @param misplacedRows rows of another route than the file's; 0 if files have no routes
 * @param checksum SHA-256 of its bytes, in hexadecimal, taken before the rows were read: as long as
 *     {@link Engine#checksums} says the same, another measurement would find the same
 */
public record MeasuredFile(Path path, Balance balance, long misplacedRows, String checksum) {}
