/** Shapes of JSON documents: one description reads a body strictly and documents it. */
@NullMarked
package io.weir.server.shape;

import org.jspecify.annotations.NullMarked;
