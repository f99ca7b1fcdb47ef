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
import io.weir.ledger.books.Transactions;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.partition.PartitionCommand;
import io.weir.ledger.partition.PartitionMachine;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunRow;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Who reads which partition. */
final class Claims {
    private final Transactions transactions;
    private final LedgerSettings settings;

    Claims(Transactions transactions, LedgerSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    Optional<WorkOrder> next(RunId runId, UUID token, String worker) {
        return claim(runId, token, worker, books -> {
            Optional<Partition> mine = books.partitions().lockByToken(runId, token);
            return mine.isPresent() ? mine : books.partitions().lockNext(runId);
        });
    }

    Optional<WorkOrder> named(RunId runId, PartitionId id, UUID token, String worker) {
        return claim(runId, token, worker, books -> Optional.of(books.lockPartition(runId, id)));
    }

    private Optional<WorkOrder> claim(
            RunId runId, UUID token, String worker, Function<Books, Optional<Partition>> lock) {
        PartitionCommand.Claim command =
                new PartitionCommand.Claim(token, worker, settings.claimLease());
        return transactions.run(
                "claim a partition of run " + runId, books -> claim(books, runId, command, lock));
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
        return Optional.of(order(books, claimed, command.token(), now));
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

    private WorkOrder order(Books books, Partition partition, UUID token, Instant now) {
        RunRow row = books.findRun(partition.runId());
        Run run = row.run();
        SnapshotToken first = Objects.requireNonNull(run.snapshot(), "snapshot of a manifest");
        // The first holder may be gone; whoever lives exported the same state again.
        SnapshotToken snapshot = books.holders().ofRun(run.id()).stream()
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
                path(run, partition.id(), partition.epoch()));
    }

    /** Where the files of one claim live; no other claim ever writes there. */
    static String path(Run run, PartitionId id, long epoch) {
        return run.dataPath() + "/p=" + id + "/e=" + epoch + "/";
    }
}
