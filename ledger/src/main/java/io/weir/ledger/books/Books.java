package io.weir.ledger.books;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.AttemptState;
import io.weir.core.run.Cut;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.ledger.chunk.ChunkStore;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.dispatch.DispatchStore;
import io.weir.ledger.event.EventDraft;
import io.weir.ledger.event.EventStore;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.metric.MetricStore;
import io.weir.ledger.partition.PartitionCommand;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.PartitionMachine;
import io.weir.ledger.partition.PartitionStore;
import io.weir.ledger.process.HolderStore;
import io.weir.ledger.process.LoopStore;
import io.weir.ledger.process.StreamStore;
import io.weir.ledger.process.WorkerStore;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.publish.AttemptStore;
import io.weir.ledger.publish.PublishCommand;
import io.weir.ledger.publish.PublishMachine;
import io.weir.ledger.publish.TargetStore;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunMachine;
import io.weir.ledger.run.RunRow;
import io.weir.ledger.run.RunStore;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** The stores of one transaction, and how a decision gets into them together with its event. */
public final class Books {
    private final Stores stores;

    public Books(Stores stores) {
        this.stores = stores;
    }

    public RunStore runs() {
        return stores.runs();
    }

    public PartitionStore partitions() {
        return stores.partitions();
    }

    public ChunkStore chunks() {
        return stores.chunks();
    }

    public MetricStore metrics() {
        return stores.metrics();
    }

    public DispatchStore dispatches() {
        return stores.dispatches();
    }

    public TargetStore targets() {
        return stores.targets();
    }

    public AttemptStore attempts() {
        return stores.attempts();
    }

    public EventStore events() {
        return stores.events();
    }

    public HolderStore holders() {
        return stores.holders();
    }

    public StreamStore streams() {
        return stores.streams();
    }

    public WorkerStore workers() {
        return stores.workers();
    }

    public LoopStore loops() {
        return stores.loops();
    }

    /** The time of the books. Ask after the row is locked. */
    public Instant now() {
        return stores.now();
    }

    public UUID newId() {
        return stores.newId();
    }

    public RunRow findRun(RunId id) {
        return stores.runs().find(id).orElseThrow(() -> runNotFound(id));
    }

    public RunRow lockRun(RunId id) {
        return stores.runs().lock(id).orElseThrow(() -> runNotFound(id));
    }

    public Partition lockPartition(RunId runId, PartitionId id) {
        Optional<Partition> partition = stores.partitions().lock(runId, id);
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
    public RunRow apply(RunRow run, RunCommand command, Instant now) {
        return apply(run, command, now, next -> List.of());
    }

    /**
     * The same with other rows that change because of it.
     *
     * @param others called with the run after, only if it moves
     */
    public RunRow apply(
            RunRow run, RunCommand command, Instant now, Function<RunRow, List<RowChange>> others) {
        return applyDecided(run, RunMachine.decide(run, command, now), now, others);
    }

    public RunRow applyDecided(
            RunRow run,
            Decision<RunRow> decision,
            Instant now,
            Function<RunRow, List<RowChange>> others) {
        return decision.match(new Decision.Cases<RunRow, RunRow>(
                move -> {
                    List<RowChange> changes = new ArrayList<>();
                    changes.add(applied(stores.runs().update(run, move.next()), "run"));
                    changes.addAll(others.apply(move.next()));
                    record(now, run.run().id(), null, move.event(), changes);
                    Steps.follow(this, move.next().run(), now);
                    if (move.next().run().state().isTerminal()) {
                        closeOpen(move.next(), now);
                    }
                    return move.next();
                },
                renew -> {
                    requireApplied(stores.runs().renew(renew.next()), "run");
                    return renew.next();
                },
                Decision.AlreadyDone::row,
                refuse -> {
                    throw refuse.exception();
                }));
    }

    /** Applies a decision on a locked partition. */
    public Partition apply(
            Partition partition,
            Decision<Partition> decision,
            Instant now,
            Function<Partition, List<RowChange>> others) {
        return decision.match(new Decision.Cases<Partition, Partition>(
                move -> {
                    List<RowChange> changes = new ArrayList<>();
                    changes.add(applied(
                            stores.partitions().update(partition, move.next()), "partition"));
                    changes.addAll(others.apply(move.next()));
                    record(now, partition.runId(), partition.id(), move.event(), changes);
                    return move.next();
                },
                renew -> {
                    requireApplied(stores.partitions().renew(renew.next()), "partition");
                    return renew.next();
                },
                Decision.AlreadyDone::row,
                refuse -> {
                    throw refuse.exception();
                }));
    }

    /**
     * Applies reports that were decided on rows seen without a lock, each with its chunks and its
     * event, and lets each lease count from now. Leaves out one whose row was moved meanwhile.
     *
     * @param moves each of another partition
     * @return when each was applied
     */
    Map<PartitionKey, Instant> report(List<PartitionMove> moves, Duration lease) {
        Map<PartitionKey, Instant> reported = new HashMap<>();
        for (PartitionMove move : moves) {
            Instant now = now();
            Partition after = PartitionMachine.leased(move.after(), now.plus(lease));
            if (moved(move, after, now)) {
                reported.put(PartitionKey.of(after), now);
            }
        }
        return reported;
    }

    /** The same with first claims, which begin now. */
    Map<PartitionKey, Claimed> claim(
            List<PartitionMove> moves, Set<PartitionKey> next, Duration lease) {
        Map<PartitionKey, Claimed> claims = new HashMap<>();
        for (PartitionMove move : moves) {
            Instant now = now();
            RunId runId = move.after().runId();
            if (next.contains(PartitionKey.of(move.after())) && isOneGivenBack(runId)) {
                continue;
            }
            Claimed claimed = Claimed.of(
                    move.after(),
                    now,
                    lease,
                    stores.holders().ofRun(runId).stream().findFirst().orElse(null));
            if (moved(move, claimed.row(), now)) {
                claims.put(PartitionKey.of(move.after()), claimed);
            }
        }
        return claims;
    }

    private boolean isOneGivenBack(RunId runId) {
        return stores.partitions().ofRun(runId).stream()
                .anyMatch(partition -> partition.state() == PartitionState.RETRY);
    }

    private boolean moved(PartitionMove move, Partition after, Instant now) {
        Optional<RowChange> change = stores.partitions().update(move.before(), after);
        if (change.isEmpty()) {
            return false;
        }
        List<RowChange> changes = new ArrayList<>(List.of(change.get()));
        changes.addAll(stores.chunks().insertAll(move.chunks()));
        record(now, after.runId(), after.id(), move.name(), changes);
        return true;
    }

    /** Applies a decision on a locked row of the outbox. */
    public Dispatch apply(Dispatch row, Decision<Dispatch> decision, Instant now) {
        return decision.match(new Decision.Cases<Dispatch, Dispatch>(
                move -> {
                    RowChange change =
                            applied(stores.dispatches().update(row, move.next()), "dispatch");
                    record(now, row.runId(), null, move.event(), List.of(change));
                    return move.next();
                },
                Decision.Renew::next,
                Decision.AlreadyDone::row,
                refuse -> {
                    throw refuse.exception();
                }));
    }

    /**
     * Locks every run of the cut that a run belongs to, in an order that is always the same, so
     * that what is decided about all of them is decided once.
     *
     * @return only the run itself if it is alone
     */
    public List<RunRow> lockCut(RunId id) {
        Cut cut = findRun(id).run().cut();
        return cut == null ? List.of(lockRun(id)) : stores.runs().lockCut(cut.id());
    }

    /** Every run of the cut of a run, without locks. */
    public List<Run> cutOf(Run run) {
        Cut cut = run.cut();
        return cut == null
                ? List.of(run)
                : stores.runs().ofCut(cut.id()).stream().map(RunRow::run).toList();
    }

    /** Applies a decision on a locked attempt. */
    public AttemptRow apply(AttemptRow row, Decision<AttemptRow> decision, Instant now) {
        return decision.match(new Decision.Cases<AttemptRow, AttemptRow>(
                move -> {
                    RowChange change =
                            applied(stores.attempts().update(row, move.next()), "attempt");
                    record(now, row.attempt().runId(), null, move.event(), List.of(change));
                    return move.next();
                },
                Decision.Renew::next,
                Decision.AlreadyDone::row,
                refuse -> {
                    throw refuse.exception();
                }));
    }

    public void record(
            Instant now,
            RunId runId,
            @Nullable PartitionId partitionId,
            String event,
            List<RowChange> changes) {
        stores.events().append(List.of(new EventDraft(now, runId, partitionId, event, changes)));
    }

    /** Nothing of a run that ended stays open. */
    private void closeOpen(RunRow run, Instant now) {
        RunId runId = run.run().id();
        for (Partition partition : stores.partitions().lockOpen(runId)) {
            Decision<Partition> decision =
                    PartitionMachine.decide(partition, new PartitionCommand.Close(), now);
            apply(partition, decision, now, next -> List.of());
        }
        String evidence = "never opened: the run ended as " + run.run().state();
        for (AttemptRow attempt : stores.attempts().lockUnsettled(runId)) {
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
