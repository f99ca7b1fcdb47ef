/** Real processes under kills, pauses and broken lines; then every book is read. */
@NullMarked
package io.weir.app.chaos;

import org.jspecify.annotations.NullMarked;
