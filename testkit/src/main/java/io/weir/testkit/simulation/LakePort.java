package io.weir.testkit.simulation;

import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The way from a process to the lake. Commits travel through a queue: they arrive soon, minutes
 * later, or never, and so do their replies.
 */
final class LakePort {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int TRIES_MAX = 6;

    private final SimProcess process;
    private final World world;

    LakePort(SimProcess process) {
        this.process = process;
        this.world = process.world;
    }

    /** How sending one commit ended, as the sender sees it. */
    enum Reply {
        COMMITTED,
        REFUSED,
        UNKNOWN
    }

    /** How publishing ended, as the publisher sees it. */
    enum Outcome {
        PUBLISHED,
        MOVED,
        UNKNOWN
    }

    void look(String table, Consumer<LakeState> done, Runnable failed) {
        boolean down = world.faults.strikes(Fault.CATALOG_DOWN);
        process.after(world.random.millis(2, 40), () -> {
            if (down) {
                world.log(process.name, "catalog down");
                failed.run();
            } else {
                done.accept(world.lake.look(table));
            }
        });
    }

    private void commit(
            String what, String table, LakeState before, LakeState after, Consumer<Reply> done) {
        Duration way = world.random.millis(5, 80);
        boolean lost = world.faults.strikes(Fault.COMMIT_LOST);
        if (world.faults.strikes(Fault.COMMIT_SLOW)) {
            way = world.random.seconds(1, 240);
        }
        int born = process.life();
        boolean[] answered = new boolean[1];
        Consumer<Reply> once = reply -> {
            if (!answered[0]) {
                answered[0] = true;
                done.accept(reply);
            }
        };
        if (!lost) {
            boolean silent = world.faults.strikes(Fault.COMMIT_REPLY_LOST);
            world.timeline.deliver(way, () -> {
                boolean same = world.lake.swap(process.name, table, before, after, what);
                if (!silent) {
                    process.after(
                            born,
                            world.random.millis(2, 40),
                            () -> once.accept(same ? Reply.COMMITTED : Reply.REFUSED));
                }
            });
        }
        process.after(PATIENCE, () -> once.accept(Reply.UNKNOWN));
    }

    /** Looks and commits until it is done, or gives up. */
    private void untilDone(
            String what,
            String table,
            int tries,
            Function<LakeState, Optional<LakeState>> change,
            Consumer<LakeState> done,
            Runnable failed) {
        if (tries == TRIES_MAX) {
            failed.run();
            return;
        }
        Runnable again = () -> process.after(
                world.random.seconds(1, 3),
                () -> untilDone(what, table, tries + 1, change, done, failed));
        look(
                table,
                state -> {
                    Optional<LakeState> next = change.apply(state);
                    if (next.isEmpty()) {
                        done.accept(state);
                    } else {
                        // Whatever the reply is, only another look tells.
                        commit(what, table, state, next.get(), reply -> again.run());
                    }
                },
                again);
    }

    /** Puts the files of a run on the branch of an attempt. */
    void stage(
            PublishAttempt attempt,
            PublishMode mode,
            List<String> files,
            Consumer<Long> done,
            Runnable failed) {
        untilDone(
                "stage " + attempt.epoch(),
                attempt.target(),
                0,
                state ->
                        state.branch(attempt).filter(head -> head.isOf(attempt)).isPresent()
                                ? Optional.empty()
                                : Optional.of(
                                        state.staged(attempt, staged(state, attempt, mode, files))),
                state -> done.accept(state.branch(attempt).orElseThrow().id()),
                failed);
    }

    private LakeSnapshot staged(
            LakeState state, PublishAttempt attempt, PublishMode mode, List<String> files) {
        List<String> live = new ArrayList<>();
        if (mode == PublishMode.APPEND) {
            live.addAll(state.snapshot(attempt.baseSnapshotId()).files());
        }
        live.addAll(files);
        return new LakeSnapshot(
                world.lake.newSnapshotId(),
                attempt.baseSnapshotId(),
                live,
                attempt.runId(),
                attempt.epoch());
    }

    /** Moves main to what an attempt staged, by one commit that is sent once. */
    void publish(PublishAttempt attempt, BiConsumer<Outcome, Long> done) {
        look(
                attempt.target(),
                state -> publish(attempt, state, done),
                () -> done.accept(Outcome.UNKNOWN, 0L));
    }

    private void publish(PublishAttempt attempt, LakeState state, BiConsumer<Outcome, Long> done) {
        Optional<Long> before = state.evidence(attempt);
        Optional<String> refusal = state.refusal(attempt);
        Long staged = attempt.stagedSnapshotId();
        if (before.isPresent()) {
            done.accept(Outcome.PUBLISHED, before.get());
        } else if (refusal.isPresent() || staged == null) {
            world.log(process.name, "cannot publish " + attempt.epoch() + ": " + refusal);
            done.accept(Outcome.MOVED, 0L);
        } else {
            commit(
                    "publish " + attempt.epoch(),
                    attempt.target(),
                    state,
                    state.fastForward(attempt, staged),
                    reply -> settled(attempt, staged, reply, done));
        }
    }

    private void settled(
            PublishAttempt attempt, long staged, Reply reply, BiConsumer<Outcome, Long> done) {
        switch (reply) {
            case COMMITTED -> done.accept(Outcome.PUBLISHED, staged);
            case REFUSED -> publish(attempt, done);
            case UNKNOWN -> {
                if (world.has(SeededBug.M9_PUBLISH_RETRIED)) {
                    force(attempt, staged, done);
                } else {
                    done.accept(Outcome.UNKNOWN, 0L);
                }
            }
        }
    }

    private void force(PublishAttempt attempt, long staged, BiConsumer<Outcome, Long> done) {
        LakeState state = world.lake.look(attempt.target());
        List<String> files = new ArrayList<>(state.mainSnapshot().files());
        files.addAll(state.snapshot(staged).files());
        long id = world.lake.newSnapshotId();
        LakeState after = state.forced(attempt, id, files);
        world.lake.swap(process.name, attempt.target(), state, after, "publish again");
        done.accept(Outcome.PUBLISHED, id);
    }

    /** Removes the branch; afterwards the attempt cannot be published. */
    void discard(String table, String branch, Runnable done, Runnable failed) {
        untilDone(
                "discard",
                table,
                0,
                state -> state.branches().containsKey(branch)
                        ? Optional.of(state.without(branch))
                        : Optional.empty(),
                state -> done.run(),
                failed);
    }

    /** Makes an attempt unable to publish, unless it is published. */
    void fence(PublishAttempt attempt, Runnable done, Runnable failed) {
        untilDone(
                "fence " + attempt.epoch(),
                attempt.target(),
                0,
                state -> state.fence() >= attempt.epoch()
                                || state.evidence(attempt).isPresent()
                        ? Optional.empty()
                        : Optional.of(state.fenced(attempt, world.lake.newSnapshotId())),
                state -> done.run(),
                failed);
    }
}
