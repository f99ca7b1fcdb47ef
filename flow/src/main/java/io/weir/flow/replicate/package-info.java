/**
 * The replicate flow: one process keeps the change logs of a job's tables, loads what is not loaded
 * yet, and merges window after window. A table of which something must not be published stops; the
 * others go on.
 */
@NullMarked
package io.weir.flow.replicate;

import org.jspecify.annotations.NullMarked;
