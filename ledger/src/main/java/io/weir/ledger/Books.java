package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.AttemptState;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.chunk.ChunkStore;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.dispatch.DispatchStore;
import io.weir.ledger.event.EventDraft;
import io.weir.ledger.event.EventStore;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.metric.MetricStore;
import io.weir.ledger.partition.PartitionCommand;
import io.weir.ledger.partition.PartitionMachine;
import io.weir.ledger.partition.PartitionStore;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.publish.AttemptStore;
import io.weir.ledger.publish.PublishCommand;
import io.weir.ledger.publish.PublishMachine;
import io.weir.ledger.publish.TargetStore;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunMachine;
import io.weir.ledger.run.RunRow;
import io.weir.ledger.run.RunStore;

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The stores of one transaction, and how a decision gets into them together with its event. */
final class Books {
    static final String NOW = """
            select clock_timestamp()
            """;

    static final String NEW_ID = """
            select gen_random_uuid()
            """;

    private final Handle handle;
    private final RunStore runs;
    private final PartitionStore partitions;
    private final ChunkStore chunks;
    private final MetricStore metrics;
    private final DispatchStore dispatches;
    private final TargetStore targets;
    private final AttemptStore attempts;
    private final EventStore events;

    Books(Handle handle) {
        this.handle = handle;
        this.runs = new RunStore(handle);
        this.partitions = new PartitionStore(handle);
        this.chunks = new ChunkStore(handle);
        this.metrics = new MetricStore(handle);
        this.dispatches = new DispatchStore(handle);
        this.targets = new TargetStore(handle);
        this.attempts = new AttemptStore(handle);
        this.events = new EventStore(handle);
    }

    RunStore runs() {
        return runs;
    }

    PartitionStore partitions() {
        return partitions;
    }

    ChunkStore chunks() {
        return chunks;
    }

    MetricStore metrics() {
        return metrics;
    }

    DispatchStore dispatches() {
        return dispatches;
    }

    TargetStore targets() {
        return targets;
    }

    AttemptStore attempts() {
        return attempts;
    }

    EventStore events() {
        return events;
    }

    /** The database's time. Ask after the row is locked. */
    Instant now() {
        return handle.createQuery(NOW)
                .map((rows, context) -> rows.getObject(1, OffsetDateTime.class).toInstant())
                .one();
    }

    UUID newId() {
        return handle.createQuery(NEW_ID).mapTo(UUID.class).one();
    }

    RunRow findRun(RunId id) {
        return runs.find(id).orElseThrow(() -> runNotFound(id));
    }

    RunRow lockRun(RunId id) {
        return runs.lock(id).orElseThrow(() -> runNotFound(id));
    }

    Partition lockPartition(RunId runId, PartitionId id) {
        Optional<Partition> partition = partitions.lock(runId, id);
        if (partition.isEmpty()) {
            findRun(runId);
            throw new WeirException(
                    ErrorCode.PARTITION_NOT_FOUND,
                    "Cannot find partition " + id + " of run " + runId
                            + ": the run has no such partition");
        }
        return partition.get();
    }

    /** Decides a command on a locked run and applies the decision. */
    RunRow apply(RunRow run, RunCommand command, Instant now) {
        return apply(run, command, now, next -> List.of());
    }

    /**
     * The same with other rows that change because of it.
     *
     * @param others called with the run after, only if it moves
     */
    RunRow apply(
            RunRow run, RunCommand command, Instant now, Function<RunRow, List<RowChange>> others) {
        return applyDecided(run, RunMachine.decide(run, command, now), now, others);
    }

    RunRow applyDecided(
            RunRow run,
            Decision<RunRow> decision,
            Instant now,
            Function<RunRow, List<RowChange>> others) {
        return decision.match(new Decision.Cases<RunRow, RunRow>(
                move -> {
                    List<RowChange> changes = new ArrayList<>();
                    changes.add(applied(runs.update(run, move.next()), "run"));
                    changes.addAll(others.apply(move.next()));
                    record(now, run.run().id(), null, move.event(), changes);
                    if (move.next().run().state().isTerminal()) {
                        closeOpen(move.next(), now);
                    }
                    return move.next();
                },
                renew -> {
                    requireApplied(runs.renew(renew.next()), "run");
                    return renew.next();
                },
                Decision.AlreadyDone::row,
                refuse -> {
                    throw refuse.exception();
                }));
    }

    /** Applies a decision on a locked partition. */
    Partition apply(
            Partition partition,
            Decision<Partition> decision,
            Instant now,
            Function<Partition, List<RowChange>> others) {
        return decision.match(new Decision.Cases<Partition, Partition>(
                move -> {
                    List<RowChange> changes = new ArrayList<>();
                    changes.add(applied(partitions.update(partition, move.next()), "partition"));
                    changes.addAll(others.apply(move.next()));
                    record(now, partition.runId(), partition.id(), move.event(), changes);
                    return move.next();
                },
                renew -> {
                    requireApplied(partitions.renew(renew.next()), "partition");
                    return renew.next();
                },
                Decision.AlreadyDone::row,
                refuse -> {
                    throw refuse.exception();
                }));
    }

    /** Applies a decision on a locked attempt. */
    AttemptRow apply(AttemptRow row, Decision<AttemptRow> decision, Instant now) {
        return decision.match(new Decision.Cases<AttemptRow, AttemptRow>(
                move -> {
                    RowChange change = applied(attempts.update(row, move.next()), "attempt");
                    record(now, row.attempt().runId(), null, move.event(), List.of(change));
                    return move.next();
                },
                Decision.Renew::next,
                Decision.AlreadyDone::row,
                refuse -> {
                    throw refuse.exception();
                }));
    }

    void record(
            Instant now,
            RunId runId,
            @Nullable PartitionId partitionId,
            String event,
            List<RowChange> changes) {
        events.append(List.of(new EventDraft(now, runId, partitionId, event, changes)));
    }

    /** Nothing of a run that ended stays open. */
    private void closeOpen(RunRow run, Instant now) {
        RunId runId = run.run().id();
        for (Partition partition : partitions.lockOpen(runId)) {
            Decision<Partition> decision =
                    PartitionMachine.decide(partition, new PartitionCommand.Close(), now);
            apply(partition, decision, now, next -> List.of());
        }
        String evidence = "never opened: the run ended as " + run.run().state();
        for (AttemptRow attempt : attempts.lockUnsettled(runId)) {
            if (attempt.attempt().state() == AttemptState.STAGED) {
                PublishCommand command = new PublishCommand.Abandon(evidence);
                apply(attempt, PublishMachine.decide(attempt, command), now);
            }
        }
    }

    private static RowChange applied(Optional<RowChange> change, String row) {
        requireApplied(change.isPresent(), row);
        return change.orElseThrow();
    }

    private static void requireApplied(boolean applied, String row) {
        if (!applied) {
            throw new WeirException(
                    ErrorCode.LEDGER_INVARIANT,
                    "Cannot change a " + row + ": its row moved although it was locked");
        }
    }

    private static WeirException runNotFound(RunId id) {
        return new WeirException(
                ErrorCode.RUN_NOT_FOUND, "Cannot find run " + id + ": the ledger has no such run");
    }
}
