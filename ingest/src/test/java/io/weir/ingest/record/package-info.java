/** Streams of records, without a table behind them. */
@NullMarked
package io.weir.ingest.record;

import org.jspecify.annotations.NullMarked;
