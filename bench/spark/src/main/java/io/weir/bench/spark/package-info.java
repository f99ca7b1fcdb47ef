/** What a person would write to load a table with Spark: the other side of a benchmark. */
@NullMarked
package io.weir.bench.spark;

import org.jspecify.annotations.NullMarked;
