package io.weir.testkit.simulation;

import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.row.Balance;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;
import io.weir.testkit.simulation.SourceModel.Row;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** A worker: claims, reads at the snapshot, writes files, reports them. */
final class Extractor {
    private static final Duration BEAT = Duration.ofSeconds(6);
    private static final Duration RESTART = Duration.ofSeconds(10);
    private static final int RUNS_SEEN = 20;

    private final SimProcess process;
    private final World world;
    private final Port port;

    Extractor(SimProcess process) {
        this.process = process;
        this.world = process.world;
        this.port = new Port(process);
        process.addProgram(this::poll);
    }

    private void poll() {
        process.after(world.random.seconds(1, 5), this::look);
    }

    private void look() {
        port.call(
                "list runs",
                ledger -> ledger.runs(new RunFilter(null, true, RUNS_SEEN)),
                this::choose,
                refusal -> poll());
    }

    private void choose(List<Run> runs) {
        List<Run> open =
                runs.stream().filter(run -> run.state() == RunState.EXTRACTING).toList();
        if (open.isEmpty()) {
            poll();
            return;
        }
        Run run = world.random.pick(open);
        port.call(
                "look for a holder of " + Brief.id(run.id()),
                ledger -> ledger.detail(run.id()),
                this::join,
                refusal -> poll());
    }

    /** First the snapshot, then a sign that it is kept, then the claim, as the flow does it. */
    private void join(RunDetail detail) {
        Optional<String> mine = detail.holders().stream()
                .filter(holder -> detail.now().isBefore(holder.leaseUntil()))
                .map(holder -> holder.token().text())
                .findFirst()
                .flatMap(token -> world.source.reexport(process, token));
        if (mine.isEmpty()) {
            // The holder died since; the next look finds another one, or the sweep ends the run.
            poll();
            return;
        }
        Holding holding = new Holding(detail.run().id(), mine.get());
        holding.sign(() -> claim(detail.run(), holding), refusal -> {
            holding.end();
            poll();
        });
    }

    private void claim(Run run, Holding holding) {
        UUID token = world.random.id();
        port.call(
                "claim of " + Brief.id(run.id()),
                ledger -> ledger.claimNext(run.id(), token, process.name),
                order -> take(run, holding, order),
                refusal -> {
                    holding.end();
                    poll();
                });
    }

    private void take(Run run, Holding holding, Optional<WorkOrder> order) {
        if (order.isEmpty()) {
            holding.end();
            poll();
            return;
        }
        WorkOrder work = order.get();
        world.journal.claimed(work);
        boolean poisoned = world.plans.stream()
                .anyMatch(plan -> plan.poisoned
                        && plan.job.equals(run.job())
                        && plan.businessKey.equals(run.businessKey()));
        if (poisoned && work.claim().partitionId().value().equals("0000")) {
            world.log(process.name, "dies of what it reads");
            process.killAndRestart(RESTART);
        } else if (world.faults.strikes(Fault.SOURCE_BROKEN)) {
            holding.end();
            fail(work);
        } else {
            new Reading(work, holding).begin();
        }
    }

    private void fail(WorkOrder work) {
        String code =
                world.random.chance(0.5) ? "SOURCE_SNAPSHOT_EXPIRED" : "SOURCE_CONNECTION_LOST";
        Failure failure = new Failure("EXTRACT", code, "the session broke");
        port.call(
                "fail " + name(work),
                ledger -> ledger.failPartition(work.claim(), failure),
                run -> poll(),
                refusal -> poll());
    }

    private static String name(WorkOrder work) {
        return Brief.id(work.claim().runId()) + " p" + work.claim().partitionId() + " e"
                + work.claim().epoch();
    }

    /** The session of a worker at a snapshot, and the row in the books that tells of it. */
    private final class Holding {
        final String token;
        private final RunId run;
        private final UUID holder = world.random.id();

        Holding(RunId run, String token) {
            this.run = run;
            this.token = token;
        }

        void sign(Runnable done, Consumer<WeirException> refused) {
            port.tell(
                    "hold " + Brief.id(run) + " by " + process.name,
                    ledger -> ledger.holdSnapshot(
                            run,
                            holder,
                            new SnapshotToken(SnapshotToken.POSTGRESQL, token),
                            process.name),
                    done,
                    refused);
        }

        void end() {
            world.source.end(token);
            port.tell(
                    "release " + Brief.id(run) + " by " + process.name,
                    ledger -> ledger.releaseSnapshot(run, holder),
                    () -> {},
                    refusal -> {});
        }
    }

    /** One claimed partition. */
    private final class Reading {
        private final WorkOrder work;
        private final Holding holding;
        private int open;
        private boolean over;

        Reading(WorkOrder work, Holding holding) {
            this.work = work;
            this.holding = holding;
        }

        void begin() {
            process.after(BEAT, this::beat);
            SourceModel.Snapshot snapshot = world.source.snapshot(holding.token);
            List<Row> rows = snapshot == null
                    ? List.of()
                    : Ranges.of(snapshot.rows(work.sourceTable()), work.range());
            List<ChunkReport> reports = new ArrayList<>();
            int chunks = rows.isEmpty() ? 1 : world.random.between(1, Math.min(3, rows.size()));
            for (int i = 0; i < chunks; i++) {
                int from = rows.size() * i / chunks;
                int to = rows.size() * (i + 1) / chunks;
                reports.add(chunk(i, rows.subList(from, to), i == chunks - 1));
            }
            open = reports.size();
            Duration pause = Duration.ZERO;
            boolean ordered = world.random.chance(0.7);
            for (ChunkReport report : reports) {
                Duration spent = world.random.seconds(0, 8);
                pause = ordered ? pause.plus(spent) : spent;
                process.after(pause, () -> written(report));
            }
        }

        private ChunkReport chunk(int index, List<Row> rows, boolean last) {
            if (rows.isEmpty()) {
                return new ChunkReport(index, 0, Balance.ZERO, List.of(), last);
            }
            world.files.write(work.file(index), rows);
            return new ChunkReport(
                    index, rows.size() * 8L, SourceModel.balanceOf(rows), List.of(), last);
        }

        private void written(ChunkReport report) {
            if (over) {
                return;
            }
            port.call(
                    "report " + name(work) + " c" + report.index(),
                    ledger -> {
                        var reply = ledger.reportChunks(work.claim(), List.of(report));
                        world.journal.accepted(work.claim(), reply);
                        return reply;
                    },
                    reply -> {
                        if (reply.partitionState() == PartitionState.RUNNING
                                || reply.partitionState() == PartitionState.SUCCESS) {
                            world.journal.reported(work.claim(), report);
                            reported();
                        } else {
                            end();
                        }
                    },
                    refusal -> end());
        }

        private void reported() {
            open--;
            damage();
            if (open == 0) {
                end();
            }
        }

        /** A disk forgets or changes what it was given. */
        private void damage() {
            if (world.faults.strikes(Fault.FILE_DAMAGED)) {
                world.damage(work.claim().runId(), work.path(), false);
            }
            if (world.faults.strikes(Fault.FILE_GONE)) {
                world.damage(work.claim().runId(), work.path(), true);
            }
        }

        private void beat() {
            if (over) {
                return;
            }
            holding.sign(() -> {}, refusal -> {});
            port.tell(
                    "beat " + name(work),
                    ledger -> ledger.heartbeat(work.claim(), new Progress(1, 8)),
                    () -> process.after(BEAT, this::beat),
                    refusal -> end());
        }

        private void end() {
            if (!over) {
                over = true;
                holding.end();
                poll();
            }
        }
    }
}
