package io.weir.testkit.simulation;

import io.weir.core.ledger.CreateRun;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Cut;
import io.weir.core.run.RecoveryMode;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What a scheduler remembers about one load, whatever happens to its process. */
final class JobPlan {
    final String job;
    final String businessKey;
    final List<Integer> tables;
    final PublishMode mode;
    final RecoveryMode recovery;
    final String scheduler;
    final Instant at;
    final boolean poisoned;
    final Duration timeout;
    private final List<UUID> cuts;
    private int tries;
    private boolean done;

    /**
     * Makes a plan.
     *
     * @param cuts an id for each try
     * @param poisoned whether reading its first partition kills the reader
     */
    JobPlan(
            String job,
            String businessKey,
            List<Integer> tables,
            PublishMode mode,
            RecoveryMode recovery,
            String scheduler,
            Instant at,
            boolean poisoned,
            Duration timeout,
            List<UUID> cuts) {
        this.job = job;
        this.businessKey = businessKey;
        this.tables = List.copyOf(tables);
        this.mode = mode;
        this.recovery = recovery;
        this.scheduler = scheduler;
        this.at = at;
        this.poisoned = poisoned;
        this.timeout = timeout;
        this.cuts = List.copyOf(cuts);
    }

    boolean isDone() {
        return done;
    }

    void finish() {
        done = true;
    }

    /** The next try is another request; gives up after some. */
    void tryAgain() {
        tries++;
        done = tries >= cuts.size();
    }

    String key(int table) {
        return scheduler + "/" + job + "/" + businessKey + "/" + table + "/" + tries;
    }

    CreateRun request(int index, SimulationSettings settings) {
        Integer table = tables.get(index);
        @Nullable Cut cut = tables.size() == 1 ? null : new Cut(cuts.get(tries), tables.size());
        return new CreateRun(
                key(table),
                job,
                businessKey,
                "shop",
                "t" + table,
                target(table),
                mode,
                "file:///lake/" + target(table) + "/data",
                false,
                settings.runLease(),
                timeout,
                recovery,
                cut);
    }

    /** Loads of all jobs that read one table go to one target, apart for each mode. */
    private String target(Integer table) {
        return "lake.t" + table + "_" + (mode == PublishMode.APPEND ? "log" : "now");
    }
}
