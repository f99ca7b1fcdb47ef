package io.weir.flow.outsidelog;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A file as the file system shows it.
 *
 * @param name path below the directory of the log, with slashes
 * @param modifiedAt in whole microseconds
 */
record FoundFile(String name, Path path, long bytes, Instant modifiedAt) {}
