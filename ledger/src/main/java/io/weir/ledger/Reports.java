package io.weir.ledger;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.ReportReply;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunState;
import io.weir.ledger.KnownClaims.KnownClaim;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Bundles;
import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.chunk.ChunkRules;
import io.weir.ledger.chunk.ChunkSet;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.partition.PartitionCommand;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.PartitionMachine;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunRow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Durable files get into the books; the last of a partition moves it, the last of all the run. */
final class Reports {
    /** What is much larger takes its time and had better not hold up others. */
    private static final int BUNDLED_MAX = 100;

    /** The second one for partitions that another process has moved. */
    private static final int ATTEMPTS_MAX = 2;

    private final Transactions transactions;
    private final LedgerSettings settings;
    private final KnownClaims known;
    private final Bundles<Call, ReportReply> bundles;

    Reports(Transactions transactions, KnownClaims known, LedgerSettings settings) {
        this.transactions = transactions;
        this.known = known;
        this.settings = settings;
        this.bundles = new Bundles<>(this::carry, call -> call.reports.size());
    }

    ReportReply report(Claim claim, List<ChunkReport> reports) {
        ChunkRules.check(claim, reports);
        Call call = new Call(claim, reports);
        Optional<ReportReply> reply = call.isLast() || reports.size() > BUNDLED_MAX
                ? Optional.empty()
                : bundles.call(call);
        return reply.orElseGet(() -> alone(call));
    }

    private record Call(Claim claim, List<ChunkReport> reports) {
        boolean isLast() {
            return reports.stream().anyMatch(ChunkReport::last);
        }

        String action() {
            return "report chunks of partition " + claim.partitionId() + " of run " + claim.runId();
        }
    }

    /** Answers the reports that only add new chunks to partitions that are being read. */
    private List<Optional<ReportReply>> carry(List<Call> calls) {
        Map<PartitionKey, Call> left = new LinkedHashMap<>();
        calls.forEach(call -> left.putIfAbsent(PartitionKey.of(call.claim), call));
        Set<Call> done = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int attempt = 0; attempt < ATTEMPTS_MAX && !left.isEmpty(); attempt++) {
            done.addAll(advance(calls.get(0).action(), left));
        }
        // A partition that is RUNNING when it is written proves that its run is EXTRACTING.
        ReportReply running = new ReportReply(PartitionState.RUNNING, RunState.EXTRACTING);
        return calls.stream()
                .map(call -> Optional.of(running).filter(reply -> done.contains(call)))
                .toList();
    }

    /**
     * Writes what is plain.
     *
     * @param left keeps those that may be tried again, because this process did not know the latest
     * @return those that are in the books
     */
    private List<Call> advance(String action, Map<PartitionKey, Call> left) {
        List<PartitionKey> unknown =
                left.keySet().stream().filter(key -> known.find(key).isEmpty()).toList();
        if (!unknown.isEmpty()) {
            transactions.look(action, unknown).forEach(known::put);
        }
        Map<PartitionKey, KnownClaim> before = new HashMap<>();
        Map<PartitionKey, PartitionMove> moves = new LinkedHashMap<>();
        left.forEach((key, call) -> known.find(key).ifPresent(claim -> {
            before.put(key, claim);
            plain(claim, call).ifPresent(move -> moves.put(key, move));
        }));
        left.keySet().retainAll(moves.keySet());
        List<Call> done = new ArrayList<>();
        if (moves.isEmpty()) {
            return done;
        }
        Map<PartitionKey, Instant> reported =
                transactions.report(action, List.copyOf(moves.values()), settings.claimLease());
        moves.forEach((key, move) -> {
            Instant now = reported.get(key);
            if (now == null) {
                known.forget(key);
                return;
            }
            KnownClaim claim = Objects.requireNonNull(before.get(key), "claim of a move");
            known.put(claim.with(move.after(), now, move.chunks()));
            done.add(Objects.requireNonNull(left.remove(key), "call of a move"));
        });
        return done;
    }

    private Optional<PartitionMove> plain(KnownClaim known, Call call) {
        if (call.reports.stream().anyMatch(report -> known.has(report.index()))) {
            return Optional.empty();
        }
        Claim claim = call.claim;
        List<ChunkRow> rows = ChunkRules.rows(claim, call.reports, known.dataPath());
        PartitionCommand command = new PartitionCommand.Report(
                claim.token(),
                claim.epoch(),
                ChunkSet.onTop(known.row(), rows),
                settings.claimLease());
        return PartitionMove.of(
                known.row(), PartitionMachine.decide(known.row(), command, known.at()), rows);
    }

    private ReportReply alone(Call call) {
        Claim claim = call.claim;
        known.forget(PartitionKey.of(claim));
        List<ChunkReport> reports = call.reports;
        String action = call.action();
        // The last chunk usually completes the partition; then the run is locked at once.
        Optional<ReportReply> reply = call.isLast()
                ? Optional.empty()
                : transactions.run(action, books -> underPartition(books, claim, reports));
        return reply.orElseGet(
                () -> transactions.run(action, books -> underRun(books, claim, reports)));
    }

    /** Empty, with nothing written, if the report would end the partition. */
    private Optional<ReportReply> underPartition(
            Books books, Claim claim, List<ChunkReport> reports) {
        Partition partition = books.lockPartition(claim.runId(), claim.partitionId());
        RunRow run = books.findRun(claim.runId());
        Report report = decide(books, run, partition, claim, reports);
        if (report.ends()) {
            return Optional.empty();
        }
        Partition after = apply(books, partition, report);
        return Optional.of(new ReportReply(after.state(), run.run().state()));
    }

    private ReportReply underRun(Books books, Claim claim, List<ChunkReport> reports) {
        RunRow run = books.lockRun(claim.runId());
        Partition partition = books.lockPartition(claim.runId(), claim.partitionId());
        Report report = decide(books, run, partition, claim, reports);
        Partition after = apply(books, partition, report);
        RunState state = report.ends()
                ? endPartition(books, run, after, report)
                : run.run().state();
        return new ReportReply(after.state(), state);
    }

    /** A decided report, not yet applied. */
    private record Report(ChunkSet set, Decision<Partition> decision, Instant now) {
        boolean ends() {
            return decision.match(new Decision.Cases<Partition, Boolean>(
                    move -> move.next().state() != PartitionState.RUNNING,
                    renew -> false,
                    done -> false,
                    refuse -> false));
        }
    }

    private Report decide(
            Books books, RunRow run, Partition partition, Claim claim, List<ChunkReport> reports) {
        ChunkSet set = ChunkSet.of(
                books.chunks().ofClaim(claim.runId(), claim.partitionId(), claim.epoch()),
                ChunkRules.rows(claim, reports, run.run().dataPath()));
        Instant now = books.now();
        PartitionCommand command = new PartitionCommand.Report(
                claim.token(), claim.epoch(), set, settings.claimLease());
        return new Report(set, PartitionMachine.decide(partition, command, now), now);
    }

    private static Partition apply(Books books, Partition partition, Report report) {
        return books.apply(
                partition,
                report.decision(),
                report.now(),
                next -> books.chunks().insertAll(report.set().fresh()));
    }

    private static RunState endPartition(
            Books books, RunRow run, Partition partition, Report report) {
        RunCommand command = partition.state() == PartitionState.SUCCESS
                ? new RunCommand.CompletePartition(
                        report.set().balance(), report.set().losses())
                : new RunCommand.FailExtract(failure(partition));
        return books.apply(run, command, report.now()).run().state();
    }

    private static Failure failure(Partition partition) {
        return Objects.requireNonNull(partition.failure(), "failure of a failed partition");
    }
}
