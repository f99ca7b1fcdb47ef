package io.weir.testkit.simulation;

import java.util.Map;
import java.util.TreeMap;

/** Tables whose metadata is replaced by compare-and-swap. */
final class LakeModel {
    private final World world;
    private final Map<String, LakeState> tables = new TreeMap<>();
    private long snapshots = 1;

    LakeModel(World world) {
        this.world = world;
    }

    LakeState look(String table) {
        return tables.computeIfAbsent(table, name -> LakeState.first());
    }

    Map<String, LakeState> all() {
        return tables;
    }

    long newSnapshotId() {
        return ++snapshots;
    }

    /** Whether the state was still the one that the next one was made from. */
    boolean swap(String who, String table, LakeState before, LakeState after, String what) {
        LakeState now = look(table);
        boolean same = now.version() == before.version();
        world.log(who, what + " " + table + (same ? " committed" : " refused"));
        if (same) {
            tables.put(table, after);
            world.invariants.committed(table, now, after);
        }
        return same;
    }
}
