@NullMarked
package io.weir.flow.replicate;

import org.jspecify.annotations.NullMarked;
