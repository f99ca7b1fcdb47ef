package io.weir.testkit.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Kills, pauses and wakes processes, moves the clock of the books, touches tables. */
final class Nemesis {
    private final World world;

    Nemesis(World world) {
        this.world = world;
    }

    void begin() {
        again(world.random.seconds(3, 20));
    }

    private void again(Duration pause) {
        world.timeline.after(pause, () -> {
            if (!world.faults.isOver()) {
                strike();
                again(world.random.seconds(4, 25));
            }
        });
    }

    private void strike() {
        if (world.faults.strikes(Fault.PROCESS_KILLED)) {
            world.random.pick(world.processes).killAndRestart(world.random.seconds(1, 60));
        }
        if (world.faults.strikes(Fault.PROCESS_PAUSED)) {
            SimProcess process = world.random.pick(world.processes);
            process.pause();
            world.timeline.after(world.random.seconds(1, 90), process::wake);
        }
        if (world.faults.strikes(Fault.TABLE_TOUCHED)) {
            List<String> tables = new ArrayList<>(world.lake.all().keySet());
            if (!tables.isEmpty()) {
                String table = world.random.pick(tables);
                LakeState state = world.lake.look(table);
                world.lake.swap("somebody", table, state, state.touched(), "touch");
            }
        }
        if (world.faults.strikes(Fault.CLOCK_JUMPS)) {
            Duration jump = world.random.seconds(1, 60);
            world.log("clock", "jumps " + jump);
            world.clock.advance(jump);
        }
    }
}
