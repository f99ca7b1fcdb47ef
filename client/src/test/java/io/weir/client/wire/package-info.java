/** Documents of the port, word by word. */
@NullMarked
package io.weir.client.wire;

import org.jspecify.annotations.NullMarked;
