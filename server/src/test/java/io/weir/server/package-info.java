/** The API over real HTTP and a real PostgreSQL. */
@NullMarked
package io.weir.server;

import org.jspecify.annotations.NullMarked;
