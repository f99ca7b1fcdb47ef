package io.weir.ledger.replica;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/**
 * A job that replicates tables of one source through one slot.
 *
 * @param version grows with every change but signs of life; guards every update
 * @param epoch how often the job was claimed; who holds an older one may change nothing
 * @param token of the process that replicates it now; null if none does
 * @param owner the same in words
 * @param begun where the slot begins; null until the initial load has one
 * @param captured up to where all change logs hold every change; null until they do
 * @param stop why its last process ended before its time; null while one runs, or if none did
 */
public record Replication(
        String job,
        long version,
        String source,
        String slot,
        ReplicationState state,
        long epoch,
        @Nullable UUID token,
        @Nullable String owner,
        @Nullable Instant leaseUntil,
        @Nullable LogPlace begun,
        @Nullable LogPlace captured,
        @Nullable Stop stop) {
    /** A job that nobody has replicated yet. */
    public static Replication created(String job, String source, String slot) {
        return new Replication(
                job,
                1,
                source,
                slot,
                ReplicationState.RUNNING,
                0,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** Whether a process gave a sign of life in time. */
    public boolean isHeld(Instant now) {
        return token != null && leaseUntil != null && now.isBefore(leaseUntil);
    }

    Replication held(UUID by, String name, Instant until) {
        return new Replication(
                job,
                version + 1,
                source,
                slot,
                state,
                epoch + 1,
                by,
                name,
                until,
                begun,
                captured,
                null);
    }

    Replication renewed(Instant until) {
        return new Replication(
                job, version, source, slot, state, epoch, token, owner, until, begun, captured,
                stop);
    }

    Replication released() {
        return new Replication(
                job,
                version + 1,
                source,
                slot,
                state,
                epoch,
                null,
                null,
                null,
                begun,
                captured,
                stop);
    }

    Replication in(ReplicationState next) {
        return new Replication(
                job,
                version + 1,
                source,
                slot,
                next,
                epoch,
                token,
                owner,
                leaseUntil,
                begun,
                captured,
                stop);
    }

    Replication begunAt(@Nullable LogPlace at) {
        return new Replication(
                job,
                version + 1,
                source,
                slot,
                state,
                epoch,
                token,
                owner,
                leaseUntil,
                at,
                at,
                stop);
    }

    Replication capturedAt(LogPlace at) {
        return new Replication(
                job,
                version,
                source,
                slot,
                state,
                epoch,
                token,
                owner,
                leaseUntil,
                begun,
                at,
                stop);
    }

    Replication stopped(Stop reason) {
        return new Replication(
                job,
                version + 1,
                source,
                slot,
                state,
                epoch,
                token,
                owner,
                leaseUntil,
                begun,
                captured,
                reason);
    }
}
