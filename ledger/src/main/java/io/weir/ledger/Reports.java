package io.weir.ledger;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.ReportReply;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunState;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.chunk.ChunkRules;
import io.weir.ledger.chunk.ChunkSet;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.partition.LockedPartition;
import io.weir.ledger.partition.PartitionCall;
import io.weir.ledger.partition.PartitionCommand;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.PartitionMachine;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunRow;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Durable files get into the books; the last of a partition moves it, the last of all the run. */
final class Reports {
    /** What is much larger takes its time and had better not hold up others. */
    private static final int BUNDLED_MAX = 100;

    private final Transactions transactions;
    private final LedgerSettings settings;
    private final Bundles<Call, ReportReply> bundles;

    Reports(Transactions transactions, LedgerSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
        this.bundles = new Bundles<>(this::carry);
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

        PartitionCall partition() {
            return new PartitionCall(
                    claim.runId(),
                    claim.partitionId(),
                    claim.epoch(),
                    reports.stream().map(ChunkReport::index).toList());
        }

        String action() {
            return "report chunks of partition " + claim.partitionId() + " of run " + claim.runId();
        }
    }

    private List<Optional<ReportReply>> carry(List<Call> calls) {
        return transactions.run(calls.get(0).action(), books -> together(books, calls));
    }

    /** Answers the reports that only add new chunks to partitions that nobody else touches. */
    private List<Optional<ReportReply>> together(Books books, List<Call> calls) {
        Map<PartitionKey, Call> asked = new LinkedHashMap<>();
        calls.forEach(call -> asked.putIfAbsent(PartitionKey.of(call.claim), call));
        List<LockedPartition> free = books.partitions()
                .lockFree(asked.values().stream().map(Call::partition).toList());
        Map<PartitionKey, PartitionMove> moves = new LinkedHashMap<>();
        if (!free.isEmpty()) {
            Instant now = books.now();
            for (LockedPartition locked : free) {
                PartitionKey key = locked.key();
                Call call = Objects.requireNonNull(asked.get(key), "call of a locked partition");
                plain(locked, call, now).ifPresent(move -> moves.put(key, move));
            }
            books.applyLast(List.copyOf(moves.values()), now);
        }
        // A partition that is RUNNING under its lock proves that its run is EXTRACTING.
        ReportReply running = new ReportReply(PartitionState.RUNNING, RunState.EXTRACTING);
        return calls.stream()
                .map(call -> Optional.of(PartitionKey.of(call.claim))
                        .filter(key -> call.equals(asked.get(key)) && moves.containsKey(key))
                        .map(key -> running))
                .toList();
    }

    private Optional<PartitionMove> plain(LockedPartition locked, Call call, Instant now) {
        if (locked.met()) {
            return Optional.empty();
        }
        Claim claim = call.claim;
        List<ChunkRow> rows = ChunkRules.rows(
                claim,
                call.reports,
                Claims.path(locked.dataPath(), claim.partitionId(), claim.epoch()));
        PartitionCommand command = new PartitionCommand.Report(
                claim.token(),
                claim.epoch(),
                ChunkSet.onTop(locked.row(), rows),
                settings.claimLease());
        return PartitionMove.of(
                locked.row(), PartitionMachine.decide(locked.row(), command, now), rows);
    }

    private ReportReply alone(Call call) {
        Claim claim = call.claim;
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
        String path = Claims.path(run.run().dataPath(), claim.partitionId(), claim.epoch());
        ChunkSet set = ChunkSet.of(
                books.chunks().ofClaim(claim.runId(), claim.partitionId(), claim.epoch()),
                ChunkRules.rows(claim, reports, path));
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
