/** The protocol: the only package that knows the HTTP server underneath. */
@NullMarked
package io.weir.server.http;

import org.jspecify.annotations.NullMarked;
