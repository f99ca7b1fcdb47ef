/** Windows merged into real tables, from real logs. */
@NullMarked
package io.weir.flow.merge;

import org.jspecify.annotations.NullMarked;
