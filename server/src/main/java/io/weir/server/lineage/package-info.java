/** Telling other programs of runs, as OpenLineage events. */
@NullMarked
package io.weir.server.lineage;

import org.jspecify.annotations.NullMarked;
