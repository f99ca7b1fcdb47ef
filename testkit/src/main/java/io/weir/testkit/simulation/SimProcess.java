package io.weir.testkit.simulation;

import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Outbox;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A process that can be killed, paused and restarted. What it planned before it was killed does not
 * happen; what it planned before it was paused happens when it wakes.
 */
final class SimProcess {
    final String name;
    final World world;
    private final List<Runnable> programs = new ArrayList<>();
    private final Deque<Runnable> held = new ArrayDeque<>();
    private @Nullable SimLedger ledger;
    private int life;
    private boolean up;
    private boolean paused;

    SimProcess(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** Adds what runs from every start on. */
    void addProgram(Runnable program) {
        programs.add(program);
    }

    boolean isUp() {
        return up;
    }

    boolean isPaused() {
        return paused;
    }

    Ledger ledger() {
        return open().ledger();
    }

    Outbox outbox() {
        return open().outbox();
    }

    private SimLedger open() {
        if (ledger == null) {
            throw new IllegalStateException("Process " + name + " does not run");
        }
        return ledger;
    }

    void start() {
        world.log(name, "starts");
        life++;
        up = true;
        ledger = SimLedger.open(world);
        programs.forEach(Runnable::run);
    }

    void kill() {
        if (up) {
            world.log(name, "is killed");
            life++;
            up = false;
            paused = false;
            held.clear();
            world.source.endSessionsOf(this);
        }
    }

    void killAndRestart(Duration pause) {
        kill();
        int killed = life;
        world.timeline.after(pause, () -> {
            if (life == killed) {
                start();
            }
        });
    }

    void pause() {
        if (up && !paused) {
            world.log(name, "is paused");
            paused = true;
        }
    }

    void wake() {
        if (paused) {
            world.log(name, "wakes");
            paused = false;
            List<Runnable> late = new ArrayList<>(held);
            held.clear();
            late.forEach(action -> world.timeline.after(world.random.millis(0, 50), action));
        }
    }

    /** Plans something of this life. */
    void after(Duration pause, Runnable action) {
        after(life, pause, action);
    }

    /**
     * The same for the life that asked: an answer that comes after a restart finds nobody.
     *
     * @param born what {@link #life} said when it was asked
     */
    void after(int born, Duration pause, Runnable action) {
        world.timeline.after(pause, () -> act(born, action));
    }

    /** Grows with every start and every end. */
    int life() {
        return life;
    }

    private void act(int born, Runnable action) {
        if (born != life || !up) {
            return;
        }
        if (paused) {
            held.add(() -> act(born, action));
        } else {
            action.run();
        }
    }
}
