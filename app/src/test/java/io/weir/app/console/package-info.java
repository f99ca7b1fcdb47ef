@NullMarked
package io.weir.app.console;

import org.jspecify.annotations.NullMarked;
