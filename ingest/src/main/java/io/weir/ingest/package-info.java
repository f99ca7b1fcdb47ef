/** Streaming connections: transactions of records into a table. */
@NullMarked
package io.weir.ingest;

import org.jspecify.annotations.NullMarked;
