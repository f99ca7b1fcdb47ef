/** Tests of rows of the open transaction. */
@NullMarked
package io.weir.ingest.row;

import org.jspecify.annotations.NullMarked;
