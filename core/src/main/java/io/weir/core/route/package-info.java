/** Which rows share a file: the fields that a table is partitioned by, routes and keyed rows. */
@NullMarked
package io.weir.core.route;

import org.jspecify.annotations.NullMarked;
