/** Tests of what every source promises. */
@NullMarked
package io.weir.source;

import org.jspecify.annotations.NullMarked;
