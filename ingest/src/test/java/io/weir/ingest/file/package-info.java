/** Files as they are written, without a table around them. */
@NullMarked
package io.weir.ingest.file;

import org.jspecify.annotations.NullMarked;
