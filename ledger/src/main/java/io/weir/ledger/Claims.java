package io.weir.ledger;

import io.weir.core.ledger.Claim;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.run.ChunkFile;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.KnownClaims.KnownClaim;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Bundles;
import io.weir.ledger.books.Claimed;
import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.partition.PartitionCommand;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.PartitionMachine;
import io.weir.ledger.partition.SeenPartition;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunRow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Who reads which partition. */
final class Claims {
    private static final int RUNS_MAX = 1000;

    /** A claim that comes late too often waits for its turn, alone. */
    private static final int ATTEMPTS_MAX = 5;

    /** How many more are seen by who looks for the next: few enough to still be there then. */
    private static final int AHEAD = 64;

    private final Transactions transactions;
    private final LedgerSettings settings;
    private final KnownClaims known;
    private final Unclaimed unclaimed;
    private final Bundles<Call, WorkOrder> bundles;

    /** Partitions that a bundle has chosen as the next: another one leaves them alone. */
    private final Set<PartitionKey> writing = ConcurrentHashMap.newKeySet();

    /** Rows of runs that read; used only for what does not change after the manifest. */
    private final Map<RunId, RunRow> runs = new ConcurrentHashMap<>();

    Claims(
            Transactions transactions,
            KnownClaims known,
            Unclaimed unclaimed,
            LedgerSettings settings) {
        this.transactions = transactions;
        this.known = known;
        this.unclaimed = unclaimed;
        this.settings = settings;
        this.bundles = new Bundles<>(this::carry, call -> 1);
    }

    Optional<WorkOrder> next(RunId runId, UUID token, String worker) {
        return claim(runId, Optional.empty(), token, worker, books -> {
            Optional<Partition> mine = books.partitions().lockByToken(runId, token);
            return mine.isPresent() ? mine : books.partitions().lockNext(runId);
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

    /**
     * Answers the claims of partitions that nobody had before. One that asks for the next partition
     * and has one already breaks {@code PARTITION_TOKEN_ONCE}: then each is carried out alone.
     */
    private List<Optional<WorkOrder>> carry(List<Call> calls) {
        Map<Call, WorkOrder> orders = new LinkedHashMap<>();
        List<Call> left = calls;
        for (int attempt = 0; attempt < ATTEMPTS_MAX && !left.isEmpty(); attempt++) {
            List<Call> late = new ArrayList<>();
            orders.putAll(advance(left, late));
            left = late;
        }
        return calls.stream().map(call -> Optional.ofNullable(orders.get(call))).toList();
    }

    /**
     * Writes what is plain.
     *
     * @param late gets those whose partition somebody else took first
     */
    private Map<Call, WorkOrder> advance(List<Call> calls, List<Call> late) {
        String action = calls.get(0).action();
        Map<Call, SeenPartition> seen = seen(action, calls);
        try {
            return advance(action, seen, late);
        } finally {
            seen.values().forEach(partition -> writing.remove(partition.key()));
        }
    }

    private Map<Call, WorkOrder> advance(
            String action, Map<Call, SeenPartition> found, List<Call> late) {
        Map<PartitionKey, Call> asked = new LinkedHashMap<>();
        Map<PartitionKey, PartitionMove> moves = new LinkedHashMap<>();
        Set<PartitionKey> next = new HashSet<>();
        found.forEach((call, seen) -> first(seen, call).ifPresent(move -> {
            if (asked.putIfAbsent(seen.key(), call) == null) {
                moves.put(seen.key(), move);
                if (call.id.isEmpty()) {
                    next.add(seen.key());
                }
            }
        }));
        Map<Call, WorkOrder> orders = new LinkedHashMap<>();
        if (moves.isEmpty()) {
            return orders;
        }
        Map<PartitionKey, Claimed> claims = transactions.claim(
                action, List.copyOf(moves.values()), Set.copyOf(next), settings.claimLease());
        moves.keySet().forEach(key -> {
            Call call = Objects.requireNonNull(asked.get(key), "call of a move");
            Claimed claimed = claims.get(key);
            if (claimed == null) {
                unclaimed.forget(call.runId);
                late.add(call);
            } else {
                orders.put(call, order(call, claimed));
            }
        });
        return orders;
    }

    private WorkOrder order(Call call, Claimed claimed) {
        RunRow run = run(call.runId);
        known.put(new KnownClaim(claimed.row(), claimed.at(), run.run().dataPath(), new BitSet()));
        SnapshotHolder holder = claimed.holder();
        return order(
                run,
                holder == null ? List.of() : List.of(holder),
                claimed.row(),
                call.command.token(),
                claimed.at());
    }

    private Map<Call, SeenPartition> seen(String action, List<Call> calls) {
        Map<Call, SeenPartition> seen = new LinkedHashMap<>();
        Map<PartitionKey, Call> named = new LinkedHashMap<>();
        Map<RunId, List<Call>> next = new LinkedHashMap<>();
        for (Call call : calls) {
            Optional<PartitionKey> key = call.id.map(id -> new PartitionKey(call.runId, id));
            Optional<SeenPartition> remembered = key.isPresent()
                    ? unclaimed.take(key.get())
                    : unclaimed.takeNext(call.runId, writing::add);
            if (remembered.isPresent()) {
                seen.put(call, remembered.get());
            } else if (key.isPresent()) {
                named.putIfAbsent(key.get(), call);
            } else {
                next.computeIfAbsent(call.runId, id -> new ArrayList<>()).add(call);
            }
        }
        if (!named.isEmpty()) {
            transactions
                    .look(action, named.keySet())
                    .forEach(partition -> seen.put(
                            Objects.requireNonNull(
                                    named.get(partition.key()), "call of a partition"),
                            partition));
        }
        next.forEach((runId, waiting) -> lookForNext(action, runId, waiting, seen));
        return seen;
    }

    /** What is seen besides is remembered for those who come next. */
    private void lookForNext(
            String action, RunId runId, List<Call> waiting, Map<Call, SeenPartition> seen) {
        Iterator<Call> call = waiting.iterator();
        List<SeenPartition> more = new ArrayList<>();
        // What the other bundle writes may be seen as it was before.
        Set<PartitionKey> others = Set.copyOf(writing);
        for (SeenPartition partition :
                transactions.claimable(action, runId, waiting.size() + others.size() + AHEAD)) {
            if (others.contains(partition.key())) {
                continue;
            }
            if (!call.hasNext()) {
                more.add(partition);
            } else if (writing.add(partition.key())) {
                seen.put(call.next(), partition);
            }
        }
        unclaimed.put(more);
    }

    private RunRow run(RunId id) {
        RunRow known = runs.get(id);
        if (known != null) {
            return known;
        }
        RunRow read = transactions.read("read run " + id, books -> books.findRun(id));
        if (runs.size() >= RUNS_MAX) {
            runs.clear();
        }
        runs.put(id, read);
        return read;
    }

    private static Optional<PartitionMove> first(SeenPartition seen, Call call) {
        // Chunks of an earlier claim may have to be given up.
        return seen.row().epoch() > 0
                ? Optional.empty()
                : PartitionMove.of(
                        seen.row(),
                        PartitionMachine.decide(seen.row(), call.command, seen.at()),
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
                ChunkFile.directory(run.dataPath(), partition.id(), partition.epoch()));
    }
}
