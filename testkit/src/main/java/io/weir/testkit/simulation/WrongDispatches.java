package io.weir.testkit.simulation;

import io.weir.core.run.Dispatch;
import io.weir.ledger.dispatch.DispatchColumns;
import io.weir.ledger.event.RowChange;
import io.weir.testkit.ledger.Interference;
import io.weir.testkit.ledger.MemoryDispatchStore;

import java.time.Duration;

/** The outbox; with a seeded bug its rows are written after the commit. */
final class WrongDispatches extends MemoryDispatchStore {
    private static final Duration LATER = Duration.ofMillis(50);

    private final World world;

    WrongDispatches(World world, Interference interference) {
        super(world.tables, interference);
        this.world = world;
    }

    /** M5. */
    @Override
    public RowChange insert(Dispatch dispatch) {
        if (!world.has(SeededBug.M5_DISPATCH_AFTER_COMMIT)) {
            return super.insert(dispatch);
        }
        world.timeline.after(LATER, () -> {
            super.insert(dispatch);
            world.settle();
        });
        return DispatchColumns.added(dispatch);
    }
}
