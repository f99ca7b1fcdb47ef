/**
 * Outside logs: Parquet files of changes that somebody else writes below a directory. Their changes
 * are taken into change logs of ours, each once, whatever ends this process.
 */
@NullMarked
package io.weir.flow.outsidelog;

import org.jspecify.annotations.NullMarked;
