/** Formats of records: what the bytes of a client say about a row. */
@NullMarked
package io.weir.ingest.record;

import org.jspecify.annotations.NullMarked;
