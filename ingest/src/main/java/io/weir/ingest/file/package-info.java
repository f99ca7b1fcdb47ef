/** Parquet files of rows, written and read without any Hadoop class. */
@NullMarked
package io.weir.ingest.file;

import org.jspecify.annotations.NullMarked;
