package io.weir.testkit.simulation;

import io.weir.core.error.WeirException;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.run.Bound;
import io.weir.core.run.Consistency;
import io.weir.core.run.Failure;
import io.weir.core.run.KeyRange;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Position;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;
import io.weir.testkit.simulation.SourceModel.Row;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Begins the runs of a scheduler: creates, opens the snapshot, plans, lives until all is read. */
final class Coordinator {
    private static final Duration BEAT = Duration.ofSeconds(7);

    private final SimProcess process;
    private final World world;
    private final Port port;
    private final String scheduler;

    Coordinator(SimProcess process, String scheduler) {
        this.process = process;
        this.world = process.world;
        this.port = new Port(process);
        this.scheduler = scheduler;
        process.addProgram(this::boot);
    }

    private void boot() {
        for (JobPlan plan : world.plans) {
            if (plan.scheduler.equals(scheduler) && !plan.isDone()) {
                Duration wait = Duration.between(world.clock.time(), plan.at);
                Duration pause = wait.isNegative() ? Duration.ofMillis(200) : wait;
                process.after(pause, () -> create(plan, new ArrayList<>()));
            }
        }
    }

    private void create(JobPlan plan, List<Run> runs) {
        if (plan.isDone()) {
            return;
        }
        if (runs.size() == plan.tables.size()) {
            begin(plan, runs);
            return;
        }
        CreateRun request = plan.request(runs.size(), world.settings);
        port.call(
                "create " + request.idempotencyKey(),
                ledger -> ledger.createRun(request),
                run -> {
                    world.journal.created(request.idempotencyKey(), run);
                    runs.add(run);
                    create(plan, runs);
                },
                refusal -> later(plan));
    }

    private void later(JobPlan plan) {
        plan.tryAgain();
        if (!plan.isDone()) {
            process.after(world.random.seconds(10, 60), () -> create(plan, new ArrayList<>()));
        }
    }

    private void begin(JobPlan plan, List<Run> runs) {
        String token = world.source.open(process);
        List<RunId> open = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            open.add(run.id());
            UUID holder = world.random.id();
            if (run.state() == RunState.CREATED) {
                prepare(plan, run, token, holder, open);
            } else {
                watch(plan, run.id(), token, holder, open);
            }
        }
    }

    private void prepare(JobPlan plan, Run run, String token, UUID holder, List<RunId> open) {
        SourceModel.Snapshot snapshot = world.source.snapshot(token);
        if (snapshot == null) {
            return;
        }
        Manifest manifest = manifest(token, snapshot.rows(run.sourceTable()));
        world.journal.planned(run.id(), token, snapshot.rows(run.sourceTable()));
        // As the flow does it: whoever finds work must find the snapshot alive.
        hold(
                run.id(),
                token,
                holder,
                () -> register(plan, run, manifest, token, holder, open),
                refusal -> giveUp(plan, run, token, holder, open));
    }

    private void register(
            JobPlan plan, Run run, Manifest manifest, String token, UUID holder, List<RunId> open) {
        port.call(
                "register " + Brief.id(run.id()),
                ledger -> ledger.registerManifest(run.id(), manifest),
                registered -> {
                    world.journal.registered(run.id());
                    watch(plan, run.id(), token, holder, open);
                },
                refusal -> watch(plan, run.id(), token, holder, open));
    }

    private void giveUp(JobPlan plan, Run run, String token, UUID holder, List<RunId> open) {
        port.call(
                "give up " + Brief.id(run.id()),
                ledger -> ledger.failRun(
                        run.id(),
                        RunState.CREATED,
                        RunState.FAILED_MANIFEST,
                        new Failure("MANIFEST", "LEDGER_UNREACHABLE", "no answer")),
                ended -> watch(plan, run.id(), token, holder, open),
                refusal -> watch(plan, run.id(), token, holder, open));
    }

    private void hold(
            RunId run, String token, UUID holder, Runnable done, Consumer<WeirException> refused) {
        port.tell(
                "hold " + Brief.id(run),
                ledger -> ledger.holdSnapshot(
                        run,
                        holder,
                        new SnapshotToken(SnapshotToken.POSTGRESQL, token),
                        process.name),
                done,
                refused);
    }

    private void watch(JobPlan plan, RunId run, String token, UUID holder, List<RunId> open) {
        port.call(
                "beat " + Brief.id(run),
                ledger -> ledger.heartbeatRun(run, null),
                now -> {
                    if (now.state() == RunState.CREATED || now.state() == RunState.EXTRACTING) {
                        if (isOf(now, token)) {
                            hold(run, token, holder, () -> {}, refusal -> {});
                        }
                        process.after(BEAT, () -> watch(plan, run, token, holder, open));
                    } else {
                        read(plan, now, token, holder, open);
                    }
                },
                refusal -> process.after(BEAT, () -> watch(plan, run, token, holder, open)));
    }

    /** A manifest registered before a restart names a snapshot that is gone with its session. */
    private static boolean isOf(Run run, String token) {
        SnapshotToken snapshot = run.snapshot();
        return snapshot == null || snapshot.text().equals(token);
    }

    /** The run needs the source no more. */
    private void read(JobPlan plan, Run run, String token, UUID holder, List<RunId> open) {
        port.tell(
                "release " + Brief.id(run.id()),
                ledger -> ledger.releaseSnapshot(run.id(), holder),
                () -> {},
                refusal -> {});
        open.remove(run.id());
        if (open.isEmpty()) {
            world.source.end(token);
            boolean again = run.state().isTerminal() && run.state() != RunState.SUCCESS;
            if (again && world.random.chance(0.5)) {
                later(plan);
            } else {
                plan.finish();
            }
        }
    }

    private Manifest manifest(String token, List<Row> rows) {
        int count = world.random.between(1, 3);
        boolean counted = world.random.chance(0.7);
        List<Manifest.Part> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            KeyRange range = KeyRange.between(bound(i, count), bound(i + 1, count));
            long expected = Ranges.of(rows, range).size();
            parts.add(new Manifest.Part(
                    PartitionId.ofIndex(i), range, counted ? (Long) expected : null));
        }
        return new Manifest(
                new SnapshotToken(SnapshotToken.POSTGRESQL, token),
                new Position("lsn", token),
                Consistency.SAME_SNAPSHOT,
                rows.size(),
                List.of("id", "value"),
                List.of("id"),
                ReadOptions.NONE,
                List.of(
                        new Measure(MetricName.ROW_COUNT, Long.toString(rows.size())),
                        new Measure(Ranges.SUM, Ranges.sum(rows))),
                parts);
    }

    private static @Nullable Bound bound(int index, int count) {
        return index == 0 || index == count ? null : new Bound("int8", Integer.toString(index * 5));
    }
}
