/** Calling outside receivers, and only those that may be called. */
@NullMarked
package io.weir.server.receiver;

import org.jspecify.annotations.NullMarked;
