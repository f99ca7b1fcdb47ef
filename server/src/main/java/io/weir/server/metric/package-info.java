/** Figures for a monitoring system. */
@NullMarked
package io.weir.server.metric;

import org.jspecify.annotations.NullMarked;
