/** The one JSON mapper of the project. */
@NullMarked
package io.weir.core.json;

import org.jspecify.annotations.NullMarked;
