/**
 * A PostgreSQL of our own for people who have none: binaries from the class path, a data directory
 * below the home, one server whichever command comes first, durable, loopback only.
 *
 * <p>Whoever needs the server calls attach. Under the lock of the home it looks for a living
 * postmaster of that data directory and starts one if there is none. The server runs in a session
 * of its own, so it survives the command that started it; a small keeper process stops it when no
 * client was seen for a while and leaves with it.
 *
 * <p>Failure: everything that takes more than one step (unpacking, {@code initdb}) happens in a
 * directory of another name and becomes visible by one rename, so a killed starter leaves only
 * rubbish that the next one removes. A killed postmaster leaves a stale {@code postmaster.pid};
 * PostgreSQL itself proves that nobody uses the data any more, so the file is only removed where
 * its pid was given to a stranger and no process works in the data directory.
 */
@NullMarked
package io.weir.ledger.embedded;

import org.jspecify.annotations.NullMarked;
