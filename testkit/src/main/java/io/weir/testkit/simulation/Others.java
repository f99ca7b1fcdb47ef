package io.weir.testkit.simulation;

import io.weir.core.run.RunId;
import io.weir.testkit.ledger.Interference;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** What the other transactions of a simulation do to one. */
final class Others implements Interference {
    private static final int DEPTH_MAX = 2;
    private static final Duration YOUNG = Duration.ofSeconds(2);
    private static final double FORGOTTEN = 0.03;

    private final World world;
    private Instant begin;

    Others(World world) {
        this.world = world;
        this.begin = world.clock.time();
    }

    /** When the transaction began to wait. */
    Instant begin() {
        return begin;
    }

    @Override
    public void before(String action) {
        begin = world.clock.time();
        if (world.depth >= DEPTH_MAX) {
            return;
        }
        if (world.faults.strikes(Fault.OTHERS_FIRST)) {
            letOthersGo(world.random.millis(1, 200));
        } else if (world.faults.strikes(Fault.OTHERS_LONG_FIRST)) {
            letOthersGo(world.random.seconds(1, 60));
        }
    }

    private void letOthersGo(Duration pause) {
        SimProcess caller = world.caller;
        String command = world.command;
        Instant mine = begin;
        Instant until = mine.plus(pause);
        world.depth++;
        try {
            boolean more = true;
            while (more) {
                more = world.timeline.step(until);
            }
        } finally {
            world.depth--;
            world.caller = caller;
            world.command = command;
        }
        world.clock.advanceTo(until);
        begin = mine;
    }

    @Override
    public boolean isVictim(String action) {
        return world.faults.strikes(Fault.DEADLOCK);
    }

    @Override
    public boolean isLocked() {
        return world.faults.strikes(Fault.ROW_LOCKED);
    }

    @Override
    public boolean isTooYoung(Instant committedAt) {
        return world.clock.time().isBefore(committedAt.plus(YOUNG))
                && world.faults.strikes(Fault.ROW_YOUNG);
    }

    @Override
    public boolean isForgotten() {
        return world.has(SeededBug.M13_REPLY_BEFORE_COMMIT) && world.random.chance(FORGOTTEN);
    }

    @Override
    public void committed(Set<RunId> runs) {
        world.invariants.committed(runs);
    }
}
