/**
 * The embedded engine: DuckDB in this process, fed by Arrow. It writes rows as Parquet files that
 * survive a power cut, measures files from their own bytes and answers read-only SQL over them. It
 * knows no ledger, no catalog and no source; it never decides whether a measurement is right.
 */
@NullMarked
package io.weir.engine;

import org.jspecify.annotations.NullMarked;
