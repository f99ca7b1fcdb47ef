@NullMarked
package io.weir.flow.load;

import org.jspecify.annotations.NullMarked;
