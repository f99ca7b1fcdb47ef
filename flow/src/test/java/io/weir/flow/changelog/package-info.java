/** Change logs of a real server in a real lake. */
@NullMarked
package io.weir.flow.changelog;

import org.jspecify.annotations.NullMarked;
