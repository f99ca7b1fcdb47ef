/**
 * The ledger in one thread under virtual time: its real machines, commands and loops, actors that
 * call them as processes would, a source, files and a lake as models, faults from a seed.
 *
 * <p>All chance comes from one {@link io.weir.testkit.simulation.Randomness}, all time from one
 * clock, all order from one {@link io.weir.testkit.simulation.Timeline}: the same seed gives the
 * same trace. Invariants are checked after every transaction and every commit to the lake.
 */
@NullMarked
package io.weir.testkit.simulation;

import org.jspecify.annotations.NullMarked;
