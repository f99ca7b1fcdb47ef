/** Routes as data: method, path, scope, shapes and what to do; the API is the list of them. */
@NullMarked
package io.weir.server.route;

import org.jspecify.annotations.NullMarked;
