package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Progress;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;
import io.weir.core.run.WorkerSign;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.partition.PartitionCommand;
import io.weir.ledger.partition.PartitionMachine;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunRow;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Signs of life of processes: no events, no locks beyond the row that they prolong. */
final class Processes {
    private static final Duration SIGNS_SHOWN = Duration.ofHours(1);

    private final Transactions signs;
    private final LedgerSettings settings;

    /**
     * Over transactions that fail soon.
     *
     * @param signs each ends, well or not, before a lease does
     */
    Processes(Transactions signs, LedgerSettings settings) {
        this.signs = signs;
        this.settings = settings;
    }

    Run prolong(RunId runId, @Nullable String owner) {
        return signs.run("prolong the lease of run " + runId, books -> {
            RunRow row = books.lockRun(runId);
            return books.apply(row, new RunCommand.Heartbeat(owner), books.now())
                    .run();
        });
    }

    void prolong(Claim claim, Progress progress) {
        PartitionCommand command = new PartitionCommand.Heartbeat(
                claim.token(), claim.epoch(), progress, settings.claimLease());
        signs.run("prolong the claim of partition " + claim.partitionId(), books -> {
            Partition partition = books.lockPartition(claim.runId(), claim.partitionId());
            Instant now = books.now();
            return books.apply(
                    partition,
                    PartitionMachine.decide(partition, command, now),
                    now,
                    next -> List.of());
        });
    }

    void hold(RunId runId, UUID holder, SnapshotToken token, String worker) {
        signs.run("hold the snapshot of run " + runId, books -> {
            RunRow row = books.findRun(runId);
            if (row.run().state().isTerminal()) {
                throw new WeirException(
                        ErrorCode.RUN_STATE_MISMATCH,
                        "Cannot hold the snapshot of run " + runId + ": it ended (state="
                                + row.run().state() + ")");
            }
            Instant until = books.now().plus(settings.claimLease());
            return books.holders().put(new SnapshotHolder(runId, holder, token, worker, until));
        });
    }

    void release(RunId runId, UUID holder) {
        signs.run(
                "release the snapshot of run " + runId,
                books -> books.holders().remove(runId, holder));
    }

    void sign(WorkerSign sign) {
        signs.run("sign worker " + sign.name(), books -> {
            Instant now = books.now();
            books.workers()
                    .put(new WorkerSign(
                            sign.id(),
                            sign.name(),
                            sign.sources(),
                            sign.slots(),
                            sign.busy(),
                            now,
                            now));
            return now;
        });
    }

    List<WorkerSign> workers() {
        return signs.read(
                "list workers", books -> books.workers().since(books.now().minus(SIGNS_SHOWN)));
    }
}
