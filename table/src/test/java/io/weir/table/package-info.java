/** Tests on a real catalog and real files; the other writer is Iceberg's own catalog. */
@NullMarked
package io.weir.table;

import org.jspecify.annotations.NullMarked;
