/** Tests of what alert says. */
@NullMarked
package io.weir.server.alert;

import org.jspecify.annotations.NullMarked;
