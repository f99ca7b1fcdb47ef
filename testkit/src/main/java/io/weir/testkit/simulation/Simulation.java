package io.weir.testkit.simulation;

import io.weir.core.publish.PublishMode;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Failure;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.ledger.run.RunRow;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * One schedule: processes, loads and faults from a seed, until everything came to its end. The same
 * seed and settings give the same result, trace and hash included.
 */
public final class Simulation {
    private static final int TRIES = 3;
    private static final Duration CHANGE = Duration.ofSeconds(5);

    private final long seed;
    private final World world;
    private Instant end = Instant.MAX;

    public Simulation(long seed, SimulationSettings settings) {
        this.seed = seed;
        this.world = new World(seed, settings);
    }

    /** Runs it to the end, or to the first invariant that does not hold. */
    public SimulationResult run() {
        String invariant = "";
        String message = "";
        try {
            begin();
            Instant faultsEnd = world.clock.time().plus(world.settings.faults());
            stepUntil(faultsEnd, false);
            heal();
            end = world.clock.time().plus(world.settings.bound());
            stepUntil(end, true);
            world.invariants.ended();
            liveness();
        } catch (Violation violation) {
            invariant = violation.invariant();
            message = String.valueOf(violation.getMessage());
        }
        return new SimulationResult(
                seed,
                invariant,
                message,
                world.trace.hash(),
                world.trace.count(),
                world.invariants.count(),
                states(),
                events(),
                world.trace.lines());
    }

    private void begin() {
        int processes = world.random.between(2, 4);
        for (int i = 0; i < processes; i++) {
            SimProcess process = new SimProcess(world, "w" + i);
            world.processes.add(process);
            new Dispatcher(process);
            world.steps.put(process.name, new Steps(process));
            new Extractor(process);
            if (i < 2) {
                new Coordinator(process, "s" + i);
                new Extractor(process);
            }
            if (i == 1) {
                new Janitor(process);
                new Person(process);
            }
        }
        plan();
        world.processes.forEach(SimProcess::start);
        new Nemesis(world).begin();
        change();
    }

    private void change() {
        world.timeline.after(CHANGE, () -> {
            world.source.change();
            change();
        });
    }

    private void plan() {
        int loads = world.random.between(1, 3);
        for (int i = 0; i < loads; i++) {
            PublishMode mode = world.random.chance(0.5) ? PublishMode.REPLACE : PublishMode.APPEND;
            RecoveryMode recovery =
                    world.random.chance(0.7) ? RecoveryMode.REISSUE : RecoveryMode.FAIL;
            List<Integer> tables = new ArrayList<>(List.of(world.random.below(2)));
            if (world.random.chance(0.35)) {
                tables = new ArrayList<>(List.of(0, 1));
                if (world.random.chance(0.3)) {
                    tables.add(2);
                }
            }
            Instant at = world.clock
                    .time()
                    .plus(world.random.between(Duration.ZERO, Duration.ofMinutes(2)));
            boolean poisoned = world.faults.strikes(Fault.PARTITION_POISONED);
            Duration timeout = world.random.chance(0.3)
                    ? world.random.seconds(60, 240)
                    : world.settings.runTimeout();
            String job = mode == PublishMode.REPLACE ? "now" : "log";
            boolean twice = world.faults.strikes(Fault.SCHEDULED_TWICE);
            for (String scheduler : twice ? List.of("s0", "s1") : List.of("s0")) {
                List<UUID> cuts = new ArrayList<>();
                for (int id = 0; id < TRIES; id++) {
                    cuts.add(world.random.id());
                }
                JobPlan plan = new JobPlan(
                        job, "k" + i, tables, mode, recovery, scheduler, at, poisoned, timeout,
                        cuts);
                world.plans.add(plan);
                poisonStep(plan);
                at = at.plus(world.random.millis(0, world.random.chance(0.5) ? 100 : 1500));
            }
        }
    }

    private void poisonStep(JobPlan plan) {
        if (world.faults.strikes(Fault.STEP_POISONED)) {
            Dispatch.Kind kind = world.random.pick(List.of(Dispatch.Kind.values()));
            world.poisonedSteps.add(kind + " of " + plan.key(plan.tables.get(0)));
        }
    }

    /** From now on nothing goes wrong, but for what is poisoned. */
    private void heal() {
        world.log("world", "heals");
        world.faults.end();
        for (SimProcess process : world.processes) {
            process.wake();
            if (!process.isUp()) {
                process.start();
            }
        }
    }

    private void stepUntil(Instant until, boolean stopWhenDone) {
        boolean more = true;
        while (more) {
            more = !(stopWhenDone && isDone()) && world.timeline.step(until);
        }
        if (!stopWhenDone) {
            world.clock.advanceTo(until);
        }
    }

    private boolean isDone() {
        return world.timeline.isQuiet()
                && world.plans.stream().allMatch(JobPlan::isDone)
                && world.tables.allRuns().stream().allMatch(row -> isAtRest(row.run()));
    }

    /** Ended, or waiting for a person, or for what a person has to do in the same cut. */
    private boolean isAtRest(Run run) {
        if (run.state().isTerminal()) {
            return true;
        }
        List<Dispatch> all = world.tables.dispatchesOf(run.id());
        boolean dead = !all.isEmpty()
                && all.get(all.size() - 1).state() == DispatchState.DEAD
                && all.stream().noneMatch(row -> row.state().isOpen());
        return (dead && isHopeless(all.get(all.size() - 1))) || waitsForDead(run);
    }

    private boolean isHopeless(Dispatch dispatch) {
        return world.poisonedSteps.contains(
                dispatch.kind() + " of " + world.journal.keyOf(dispatch.runId()));
    }

    /** Confirmed, but another run of its cut waits for a person. */
    private boolean waitsForDead(Run run) {
        return run.confirmedAt() != null
                && run.cut() != null
                && world.tables.allRuns().stream()
                        .map(RunRow::run)
                        .anyMatch(other -> run.cut().equals(other.cut())
                                && !other.id().equals(run.id())
                                && other.state().isActive()
                                && other.confirmedAt() == null
                                && isAtRest(other));
    }

    private void liveness() {
        for (RunRow row : world.tables.allRuns()) {
            Violation.check(
                    "I30",
                    isAtRest(row.run()),
                    "Does not come to an end:",
                    row.run().id(),
                    row.run().state(),
                    world.tables.dispatchesOf(row.run().id()));
        }
        Violation.check("I30", isDone(), "Something goes on for ever");
        for (RunRow row : world.tables.allRuns()) {
            Violation.check(
                    "CALM",
                    !world.faults.isCalm() || row.run().state() == RunState.SUCCESS,
                    "Nothing went wrong, but a run failed:",
                    row.run());
        }
    }

    private static String ending(Run run) {
        Failure failure = run.failure();
        return run.state() + (failure == null ? "" : " " + failure.code());
    }

    private Set<String> events() {
        Set<String> names = new TreeSet<>();
        for (RunRow row : world.tables.allRuns()) {
            world.tables.eventsOf(row.run().id()).forEach(event -> names.add(event.name()));
        }
        return names;
    }

    private List<String> states() {
        return world.tables.allRuns().stream().map(row -> ending(row.run())).toList();
    }
}
