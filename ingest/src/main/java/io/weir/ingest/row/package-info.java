/** Rows on their way: values of one, canonical bytes of many, routed. */
@NullMarked
package io.weir.ingest.row;

import org.jspecify.annotations.NullMarked;
