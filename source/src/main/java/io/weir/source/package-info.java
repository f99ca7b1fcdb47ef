/**
 * Reading databases: what is there ({@link io.weir.source.TableInspection}), one state of it shared
 * by several connections ({@link io.weir.source.SourceSnapshot}), a split that proves itself
 * ({@link io.weir.source.SplitProof}) and rows as Arrow batches with the balance of what the wire
 * delivered ({@link io.weir.source.PartitionRows}). A dialect per engine answers the same
 * questions. This package knows neither the ledger nor tables of the lake.
 */
@NullMarked
package io.weir.source;

import org.jspecify.annotations.NullMarked;
