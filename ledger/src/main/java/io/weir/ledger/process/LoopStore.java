package io.weir.ledger.process;

import java.time.Instant;
import java.util.UUID;

/** The table of loops that one process runs at a time, inside one transaction. */
public interface LoopStore {
    /**
     * Takes the loop until a time if it is free, its lease is over, or the owner has it already.
     *
     * @return whether the owner has it now
     */
    boolean take(String name, UUID owner, Instant now, Instant until);
}
