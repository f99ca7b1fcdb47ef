@NullMarked
package io.weir.app;

import org.jspecify.annotations.NullMarked;
