package io.weir.testkit.simulation;

import io.weir.core.row.Balance;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.partition.PartitionColumns;
import io.weir.testkit.ledger.Interference;
import io.weir.testkit.ledger.MemoryPartitionStore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of partitions; with a seeded bug it counts twice, forgets or trusts old rows. */
final class WrongPartitions extends MemoryPartitionStore {
    private static final double STALE = 0.5;

    private final World world;

    WrongPartitions(World world, Interference interference) {
        super(world.tables, world.clock, interference);
        this.world = world;
    }

    /** M3: a report without news counts its chunks again. */
    @Override
    public boolean renew(Partition partition) {
        boolean again = world.has(SeededBug.M3_DUPLICATES_COUNTED)
                && world.command.startsWith("report")
                && partition.chunkCount() > 0;
        if (!again) {
            return super.renew(partition);
        }
        write(counted(partition, partition.chunkCount() + 1, partition.epoch(), partition.state()));
        return true;
    }

    @Override
    public Optional<RowChange> update(Partition before, Partition after) {
        boolean claim = after.epoch() > before.epoch() && after.epoch() > 1;
        if (world.has(SeededBug.M16_EPOCH_RESET) && claim) {
            // A standby took over that did not know of the first claim.
            Partition reset = counted(after, after.chunkCount(), 1, after.state());
            return super.update(before, reset);
        }
        if (world.has(SeededBug.M8_SWEEPER_UNGUARDED) && isSweep()) {
            write(after);
            return Optional.of(PartitionColumns.changed(before, after));
        }
        return super.update(before, after);
    }

    @Override
    public List<Partition> lockOpen(RunId runId) {
        if (world.has(SeededBug.M15_CANCEL_HALF) && world.command.startsWith("cancel")) {
            return List.of();
        }
        List<Partition> open = super.lockOpen(runId);
        if (!world.has(SeededBug.M8_SWEEPER_UNGUARDED) || !isSweep()) {
            return open;
        }
        List<Partition> before = world.staleOpen.getOrDefault(runId, open);
        world.staleOpen.put(runId, new ArrayList<>(open));
        return world.random.chance(STALE) ? before : open;
    }

    private boolean isSweep() {
        return world.command.equals("sweep");
    }

    private static Partition counted(Partition row, int chunks, long epoch, PartitionState state) {
        Balance balance = row.balance();
        return new Partition(
                row.runId(),
                row.id(),
                row.ordinal(),
                row.range(),
                state,
                row.version(),
                epoch,
                row.token(),
                row.worker(),
                row.expectedRows(),
                row.progressRows(),
                row.progressBytes(),
                chunks,
                row.bytes(),
                balance,
                row.failure(),
                row.startedAt(),
                row.endedAt(),
                row.leaseUntil());
    }
}
