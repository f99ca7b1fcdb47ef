/** Tests of the engine on real Parquet files. */
@NullMarked
package io.weir.engine;

import org.jspecify.annotations.NullMarked;
