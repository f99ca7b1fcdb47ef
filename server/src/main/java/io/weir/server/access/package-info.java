/** Who may do what: tokens, roles and scopes. */
@NullMarked
package io.weir.server.access;

import org.jspecify.annotations.NullMarked;
