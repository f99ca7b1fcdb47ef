package io.weir.testkit.simulation;

import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Removes what runs that ended left behind: branches, and the files of those never published. */
final class Janitor {
    private static final Duration SUCCEEDED = Duration.ofMinutes(3);
    private static final Duration FAILED = Duration.ofMinutes(2);
    private static final int MOST = 5;

    private final SimProcess process;
    private final World world;
    private final Port port;
    private final LakePort lake;

    Janitor(SimProcess process) {
        this.process = process;
        this.world = process.world;
        this.port = new Port(process);
        this.lake = new LakePort(process);
        process.addProgram(this::pause);
    }

    private void pause() {
        process.after(world.random.seconds(20, 50), this::look);
    }

    private void look() {
        port.call(
                "list cleanable",
                ledger -> ledger.cleanable(SUCCEEDED, FAILED, MOST),
                runs -> {
                    runs.forEach(this::clean);
                    pause();
                },
                refusal -> pause());
    }

    private void clean(Run run) {
        port.call(
                "read " + Brief.id(run.id()),
                ledger -> ledger.detail(run.id()),
                detail -> discard(run, new ArrayDeque<>(detail.attempts())),
                refusal -> {});
    }

    private void discard(Run run, Deque<PublishAttempt> attempts) {
        PublishAttempt next = attempts.poll();
        if (next == null) {
            remove(run);
        } else {
            lake.discard(next.target(), next.branch(), () -> discard(run, attempts), () -> {});
        }
    }

    private void remove(Run run) {
        boolean visible = run.state() == RunState.SUCCESS || run.publishedSnapshotId() != null;
        List<String> files = world.files.under(run.dataPath() + "/");
        if (!visible) {
            for (String path : files) {
                world.invariants.deleted(run.id(), path);
                world.files.delete(path);
            }
        }
        port.call(
                "cleaned " + Brief.id(run.id()),
                ledger -> ledger.recordCleaned(run.id()),
                done -> {},
                refusal -> {});
    }
}
