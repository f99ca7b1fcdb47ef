/** The nouns of a run: ids, states, partitions, chunks, snapshots and ranges. No I/O, no clocks. */
@NullMarked
package io.weir.core.run;

import org.jspecify.annotations.NullMarked;
