/** The demo: a shop with a million orders, loaded, proven, tampered with, followed. */
@NullMarked
package io.weir.app.demo;

import org.jspecify.annotations.NullMarked;
