/** The released Hive Streaming client, as a process that a benchmark talks to. */
@NullMarked
package io.weir.bench.hive;

import org.jspecify.annotations.NullMarked;
