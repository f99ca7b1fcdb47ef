/**
 * A TCP proxy that does to two processes what a network does: delays, loses, cuts, at exactly the
 * request that a test names. {@link io.weir.testkit.proxy.FaultProxy} is the way in.
 */
@NullMarked
package io.weir.testkit.proxy;

import org.jspecify.annotations.NullMarked;
