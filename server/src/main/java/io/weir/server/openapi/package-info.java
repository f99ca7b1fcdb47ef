/** The OpenAPI document, written from the routes. */
@NullMarked
package io.weir.server.openapi;

import org.jspecify.annotations.NullMarked;
