/** What a person or a script sees: tables, progress, certificates, errors. */
@NullMarked
package io.weir.app.console;

import org.jspecify.annotations.NullMarked;
