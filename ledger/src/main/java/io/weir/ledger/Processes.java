package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;
import io.weir.core.run.WorkerSign;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.run.RunRow;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Signs of life of processes. */
final class Processes {
    private static final Duration SIGNS_SHOWN = Duration.ofHours(1);

    private final Transactions transactions;
    private final LedgerSettings settings;

    Processes(Transactions transactions, LedgerSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    void hold(RunId runId, UUID holder, SnapshotToken token, String worker) {
        transactions.run("hold the snapshot of run " + runId, books -> {
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
        transactions.run(
                "release the snapshot of run " + runId,
                books -> books.holders().remove(runId, holder));
    }

    void sign(WorkerSign sign) {
        transactions.run("sign worker " + sign.name(), books -> {
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
        return transactions.read(
                "list workers", books -> books.workers().since(books.now().minus(SIGNS_SHOWN)));
    }
}
