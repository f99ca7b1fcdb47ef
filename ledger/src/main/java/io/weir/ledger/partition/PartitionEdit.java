package io.weir.ledger.partition;

import io.weir.core.ledger.Progress;
import io.weir.core.row.Balance;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/** A copy of a partition with some fields changed. */
final class PartitionEdit {
    private final Partition before;
    private PartitionState state;
    private long epoch;
    private @Nullable UUID token;
    private @Nullable String worker;
    private Progress progress;
    private int chunkCount;
    private long bytes;
    private Balance balance;
    private @Nullable Failure failure;
    private @Nullable Instant startedAt;
    private @Nullable Instant endedAt;
    private @Nullable Instant leaseUntil;

    PartitionEdit(Partition before) {
        this.before = before;
        this.state = before.state();
        this.epoch = before.epoch();
        this.token = before.token();
        this.worker = before.worker();
        this.progress = new Progress(before.progressRows(), before.progressBytes());
        this.chunkCount = before.chunkCount();
        this.bytes = before.bytes();
        this.balance = before.balance();
        this.failure = before.failure();
        this.startedAt = before.startedAt();
        this.endedAt = before.endedAt();
        this.leaseUntil = before.leaseUntil();
    }

    /** The next epoch begins with nothing. */
    PartitionEdit claimed(UUID owner, String by, Instant now, Instant until) {
        state = PartitionState.RUNNING;
        epoch++;
        token = owner;
        worker = by;
        progress = new Progress(0, 0);
        chunkCount = 0;
        bytes = 0;
        balance = Balance.ZERO;
        startedAt = now;
        leaseUntil = until;
        return this;
    }

    /** The claim is lost: its epoch stays used, its token can report nothing more. */
    PartitionEdit givenBack() {
        state = PartitionState.RETRY;
        leaseUntil = null;
        return this;
    }

    PartitionEdit started(Instant at) {
        startedAt = at;
        return this;
    }

    PartitionEdit lease(Instant until) {
        leaseUntil = until;
        return this;
    }

    PartitionEdit progress(Progress value) {
        progress = value;
        return this;
    }

    PartitionEdit counted(int chunks, long size, Balance sum) {
        chunkCount = chunks;
        bytes = size;
        balance = sum;
        return this;
    }

    PartitionEdit ended(PartitionState how, Instant at) {
        state = how;
        endedAt = at;
        leaseUntil = null;
        return this;
    }

    PartitionEdit failure(Failure value) {
        failure = value;
        return this;
    }

    Partition moved() {
        return build(before.version() + 1);
    }

    /** Only signs of life differ. */
    Partition renewed() {
        return build(before.version());
    }

    private Partition build(long version) {
        return new Partition(
                before.runId(),
                before.id(),
                before.ordinal(),
                before.range(),
                state,
                version,
                epoch,
                token,
                worker,
                before.expectedRows(),
                progress.rows(),
                progress.bytes(),
                chunkCount,
                bytes,
                balance,
                failure,
                startedAt,
                endedAt,
                leaseUntil);
    }
}
