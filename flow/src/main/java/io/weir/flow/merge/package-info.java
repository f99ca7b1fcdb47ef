/**
 * Merges a window of a change log into a table that is kept equal to its source: plan, stage,
 * audit, publish. A plan that finds anything wrong is a stop and publishes nothing.
 */
@NullMarked
package io.weir.flow.merge;

import org.jspecify.annotations.NullMarked;
