/** Errors as data: a kind, a stable code, a message with values, a hint. */
@NullMarked
package io.weir.core.error;

import org.jspecify.annotations.NullMarked;
