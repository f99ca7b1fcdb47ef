/** The client against something that answers over real HTTP. */
@NullMarked
package io.weir.client;

import org.jspecify.annotations.NullMarked;
