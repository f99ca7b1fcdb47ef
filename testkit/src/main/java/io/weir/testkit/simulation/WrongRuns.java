package io.weir.testkit.simulation;

import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.run.RunColumns;
import io.weir.ledger.run.RunRow;
import io.weir.testkit.ledger.Interference;
import io.weir.testkit.ledger.MemoryRunStore;

import java.time.Duration;
import java.util.Optional;

/** The table of runs; with a seeded bug it locks less than it says, or writes in two steps. */
final class WrongRuns extends MemoryRunStore {
    private static final double STALE = 0.3;
    private static final double LOST = 0.3;
    private static final Duration LATER = Duration.ofMillis(300);

    private final World world;

    WrongRuns(World world, Interference interference) {
        super(world.tables, interference);
        this.world = world;
    }

    /** M4: what a report sees was read before others counted their partition. */
    @Override
    public Optional<RunRow> lock(RunId id) {
        Optional<RunRow> row = super.lock(id);
        if (!isUnlocked()) {
            return row;
        }
        RunRow older = world.stale.get(id);
        row.ifPresent(now -> world.stale.put(id, now));
        boolean usable = older != null
                && older.run().state() == RunState.EXTRACTING
                && row.filter(now -> now.run().state() == RunState.EXTRACTING).isPresent();
        return usable && world.random.chance(STALE) ? Optional.ofNullable(older) : row;
    }

    @Override
    public Optional<RowChange> update(RunRow before, RunRow after) {
        if (isUnlocked()) {
            write(after);
            return Optional.of(RunColumns.changed(before, after));
        }
        return super.update(before, after);
    }

    private boolean isUnlocked() {
        return world.has(SeededBug.M4_COMPLETION_UNLOCKED) && world.command.startsWith("report");
    }

    /** M14: the key follows in a transaction of its own, unless the process dies first. */
    @Override
    public Optional<RowChange> insert(RunRow row) {
        if (!world.has(SeededBug.M14_KEY_AFTERWARDS)) {
            return super.insert(row);
        }
        if (!world.random.chance(LOST)) {
            world.timeline.after(
                    LATER,
                    () -> world.tables.run(row.run().id()).ifPresent(now -> {
                        write(withKey(now, row.idempotencyKey()));
                        world.settle();
                    }));
        }
        return super.insert(
                withKey(row, row.idempotencyKey() + " of " + row.run().id()));
    }

    private static RunRow withKey(RunRow row, String key) {
        return new RunRow(
                row.run(),
                key,
                row.fingerprint(),
                row.allowEmpty(),
                row.lease(),
                row.columns(),
                row.reading(),
                row.manifestDigest());
    }
}
