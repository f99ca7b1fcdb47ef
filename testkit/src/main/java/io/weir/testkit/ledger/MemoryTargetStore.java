package io.weir.testkit.ledger;

import io.weir.ledger.publish.TargetStore;

/** The table of targets in memory. */
public class MemoryTargetStore implements TargetStore {
    private final MemoryTables tables;

    public MemoryTargetStore(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public void lock(String name) {
        if (!tables.targets.has(name)) {
            tables.targets.put(name, 0L);
        }
    }

    @Override
    public long nextEpoch(String name) {
        long epoch = tables.epochOf(name) + 1;
        tables.targets.put(name, epoch);
        return epoch;
    }
}
