/** The released Hive Streaming client, as a process that a benchmark talks to. */
package io.weir.bench.hive;
