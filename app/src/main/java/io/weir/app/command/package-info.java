/** One class for each {@code weir} command. */
@NullMarked
package io.weir.app.command;

import org.jspecify.annotations.NullMarked;
