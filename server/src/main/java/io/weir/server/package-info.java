/**
 * The HTTP API of the ledger. It decides nothing: it reads documents strictly, asks the ledger and
 * writes what the ledger holds. Any number of servers may run over one ledger.
 */
@NullMarked
package io.weir.server;

import org.jspecify.annotations.NullMarked;
