/** Tests of what lineage says. */
@NullMarked
package io.weir.server.lineage;

import org.jspecify.annotations.NullMarked;
