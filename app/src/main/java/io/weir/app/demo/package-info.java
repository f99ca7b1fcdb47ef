/** The demo: a shop with a million orders, loaded, proven, and once tampered with. */
@NullMarked
package io.weir.app.demo;

import org.jspecify.annotations.NullMarked;
