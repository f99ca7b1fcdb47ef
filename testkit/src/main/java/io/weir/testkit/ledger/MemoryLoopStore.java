package io.weir.testkit.ledger;

import io.weir.ledger.process.LoopStore;
import io.weir.testkit.ledger.MemoryTables.Loop;

import java.time.Instant;
import java.util.UUID;

/** The table of loops in memory. */
public class MemoryLoopStore implements LoopStore {
    private final MemoryTables tables;

    public MemoryLoopStore(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public boolean take(String name, UUID owner, Instant now, Instant until) {
        boolean taken = tables.loops
                .get(name)
                .filter(loop -> !loop.owner().equals(owner) && now.isBefore(loop.leaseUntil()))
                .isPresent();
        if (!taken) {
            tables.loops.put(name, new Loop(owner, until));
        }
        return !taken;
    }
}
