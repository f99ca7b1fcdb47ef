@NullMarked
package io.weir.testkit.proxy;

import org.jspecify.annotations.NullMarked;
