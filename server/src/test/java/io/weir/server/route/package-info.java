/** Tests of what routes answer. */
@NullMarked
package io.weir.server.route;

import org.jspecify.annotations.NullMarked;
