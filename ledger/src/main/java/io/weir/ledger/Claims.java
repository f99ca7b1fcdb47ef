package io.weir.ledger;

import io.weir.core.ledger.Claim;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.partition.LockedPartition;
import io.weir.ledger.partition.PartitionCall;
import io.weir.ledger.partition.PartitionCommand;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.PartitionMachine;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunRow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Who reads which partition. */
final class Claims {
    private static final int RUNS_MAX = 1000;

    private final Transactions transactions;
    private final LedgerSettings settings;
    private final Bundles<Call, WorkOrder> bundles;

    /** Rows of runs that read; used only for what does not change after the manifest. */
    private final Map<RunId, RunRow> runs = new ConcurrentHashMap<>();

    Claims(Transactions transactions, LedgerSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
        this.bundles = new Bundles<>(this::carry);
    }

    Optional<WorkOrder> next(RunId runId, UUID token, String worker) {
        return claim(runId, Optional.empty(), token, worker, books -> {
            List<Partition> mine = books.partitions().lockByToken(runId, List.of(token));
            return mine.isEmpty()
                    ? books.partitions().lockNext(runId, 1).stream()
                            .map(LockedPartition::row)
                            .findFirst()
                    : mine.stream().findFirst();
        });
    }

    Optional<WorkOrder> named(RunId runId, PartitionId id, UUID token, String worker) {
        return claim(
                runId,
                Optional.of(id),
                token,
                worker,
                books -> Optional.of(books.lockPartition(runId, id)));
    }

    private Optional<WorkOrder> claim(
            RunId runId,
            Optional<PartitionId> id,
            UUID token,
            String worker,
            Function<Books, Optional<Partition>> lock) {
        PartitionCommand.Claim command =
                new PartitionCommand.Claim(token, worker, settings.claimLease());
        Call call = new Call(runId, id, command);
        Optional<WorkOrder> order = bundles.call(call);
        return order.isPresent()
                ? order
                : transactions.run(call.action(), books -> claim(books, runId, command, lock));
    }

    /** A claim of a certain partition or, without id, of the next one. */
    private record Call(RunId runId, Optional<PartitionId> id, PartitionCommand.Claim command) {
        String action() {
            return "claim a partition of run " + runId;
        }
    }

    private List<Optional<WorkOrder>> carry(List<Call> calls) {
        return transactions.run(calls.get(0).action(), books -> together(books, calls));
    }

    /** Answers the claims of partitions that nobody else touches and nobody had before. */
    private List<Optional<WorkOrder>> together(Books books, List<Call> calls) {
        Map<Call, LockedPartition> locked = new LinkedHashMap<>();
        lockNamed(books, calls, locked);
        lockNext(books, calls, locked);
        if (locked.isEmpty()) {
            return calls.stream().map(call -> Optional.<WorkOrder>empty()).toList();
        }
        Instant now = books.now();
        Map<Call, WorkOrder> orders = new LinkedHashMap<>();
        List<PartitionMove> moves = new ArrayList<>();
        locked.forEach((call, partition) -> first(partition.row(), call, now).ifPresent(move -> {
            moves.add(move);
            RunRow run = run(books, call.runId);
            SnapshotHolder holder = partition.holder();
            List<SnapshotHolder> holders = holder == null ? List.of() : List.of(holder);
            orders.put(call, order(run, holders, move.after(), call.command.token(), now));
        }));
        books.applyLast(moves, now);
        return calls.stream().map(call -> Optional.ofNullable(orders.get(call))).toList();
    }

    private RunRow run(Books books, RunId id) {
        RunRow known = runs.get(id);
        if (known != null) {
            return known;
        }
        RunRow read = books.findRun(id);
        if (runs.size() >= RUNS_MAX) {
            runs.clear();
        }
        runs.put(id, read);
        return read;
    }

    private static void lockNamed(
            Books books, List<Call> calls, Map<Call, LockedPartition> locked) {
        Map<PartitionKey, Call> asked = new LinkedHashMap<>();
        calls.forEach(call ->
                call.id.ifPresent(id -> asked.putIfAbsent(new PartitionKey(call.runId, id), call)));
        if (!asked.isEmpty()) {
            List<PartitionCall> wanted = asked.keySet().stream()
                    .map(key -> new PartitionCall(key.runId(), key.id(), 0, List.of()))
                    .toList();
            for (LockedPartition partition : books.partitions().lockFree(wanted)) {
                Call call = asked.get(partition.key());
                locked.put(Objects.requireNonNull(call, "call of a partition"), partition);
            }
        }
    }

    private static void lockNext(Books books, List<Call> calls, Map<Call, LockedPartition> locked) {
        Map<RunId, Map<UUID, Call>> asked = new LinkedHashMap<>();
        calls.stream()
                .filter(call -> call.id.isEmpty())
                .forEach(call -> asked.computeIfAbsent(call.runId, runId -> new LinkedHashMap<>())
                        .putIfAbsent(call.command.token(), call));
        asked.forEach((runId, tokens) -> {
            // Who asks again has a partition already.
            books.partitions()
                    .lockByToken(runId, List.copyOf(tokens.keySet()))
                    .forEach(mine -> tokens.values()
                            .removeIf(call -> call.command.token().equals(mine.token())));
            Iterator<Call> next = List.copyOf(tokens.values()).iterator();
            if (next.hasNext()) {
                books.partitions()
                        .lockNext(runId, tokens.size())
                        .forEach(partition -> locked.put(next.next(), partition));
            }
        });
    }

    private static Optional<PartitionMove> first(Partition partition, Call call, Instant now) {
        // Chunks of an earlier claim may have to be given up.
        return partition.epoch() > 0
                ? Optional.empty()
                : PartitionMove.of(
                        partition,
                        PartitionMachine.decide(partition, call.command, now),
                        List.of());
    }

    private Optional<WorkOrder> claim(
            Books books,
            RunId runId,
            PartitionCommand.Claim command,
            Function<Books, Optional<Partition>> lock) {
        Optional<Partition> locked = lock.apply(books);
        if (locked.isEmpty()) {
            books.findRun(runId);
            return Optional.empty();
        }
        Partition partition = locked.get();
        Instant now = books.now();
        Decision<Partition> decision = PartitionMachine.decide(partition, command, now);
        if (decision.isRefused()) {
            return Optional.empty();
        }
        Partition claimed = books.apply(
                partition,
                decision,
                now,
                next -> books.chunks().failWrittenBefore(runId, next.id(), next.epoch()));
        return Optional.of(order(
                books.findRun(runId), books.holders().ofRun(runId), claimed, command.token(), now));
    }

    Run fail(Claim claim, Failure failure) {
        PartitionCommand command = new PartitionCommand.Fail(claim.token(), claim.epoch(), failure);
        return transactions.run(
                "fail partition " + claim.partitionId() + " of run " + claim.runId(), books -> {
                    RunRow run = books.lockRun(claim.runId());
                    Partition partition = books.lockPartition(claim.runId(), claim.partitionId());
                    Instant now = books.now();
                    Decision<Partition> decision = PartitionMachine.decide(partition, command, now);
                    Partition after = books.apply(partition, decision, now, next -> List.of());
                    if (after.version() == partition.version()) {
                        return run.run();
                    }
                    return books.apply(run, new RunCommand.FailExtract(failure), now)
                            .run();
                });
    }

    /**
     * What a worker has to know.
     *
     * @param row of a run that reads; nothing of it that an order says changes any more
     * @param holders the one with the longest lease first
     */
    private WorkOrder order(
            RunRow row,
            List<SnapshotHolder> holders,
            Partition partition,
            UUID token,
            Instant now) {
        Run run = row.run();
        SnapshotToken first = Objects.requireNonNull(run.snapshot(), "snapshot of a manifest");
        // The first holder may be gone; whoever lives exported the same state again.
        SnapshotToken snapshot = holders.stream()
                .filter(holder -> now.isBefore(holder.leaseUntil()))
                .map(SnapshotHolder::token)
                .findFirst()
                .orElse(first);
        return new WorkOrder(
                new Claim(run.id(), partition.id(), token, partition.epoch()),
                settings.claimLease(),
                run.sourceTable(),
                snapshot,
                partition.range(),
                row.columns(),
                row.reading(),
                path(run.dataPath(), partition.id(), partition.epoch()));
    }

    /** Where the files of one claim live; no other claim ever writes there. */
    static String path(String dataPath, PartitionId id, long epoch) {
        return dataPath + "/p=" + id + "/e=" + epoch + "/";
    }
}
