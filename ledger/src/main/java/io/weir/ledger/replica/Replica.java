package io.weir.ledger.replica;

import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A table of the lake that is kept equal to a table of a source.
 *
 * @param table qualified name at the source
 * @param target {@code namespace.table} in the lake
 * @param version grows with every change; guards every update
 * @param generation number of its change log; a rebuilt table has a new one
 * @param loadRun the run that loaded it last
 * @param loaded where that run read it; its change log holds what came behind
 * @param verified up to where its rows are proven to be those of the source; null until loaded
 * @param failures in a row
 * @param nextAttemptAt not before; null: at once
 * @param failure the last one, as text; null if there is none since the last success
 * @param ends where its change log ends, because what follows cannot be read; null: nowhere
 * @param stop exactly if the state is ENDING or STOPPED
 */
public record Replica(
        String job,
        String table,
        String target,
        long version,
        ReplicaState state,
        int generation,
        @Nullable RunId loadRun,
        @Nullable LogPlace loaded,
        @Nullable LogPlace verified,
        int failures,
        @Nullable Instant nextAttemptAt,
        @Nullable String failure,
        @Nullable LogPlace ends,
        @Nullable Stop stop) {
    /** A table that waits for its rows. */
    public static Replica created(String job, String table, String target) {
        return new Replica(
                job,
                table,
                target,
                1,
                ReplicaState.LOADING,
                1,
                null,
                null,
                null,
                0,
                null,
                null,
                null,
                null);
    }

    /** Whether its next attempt is not to be made yet. */
    public boolean isWaiting(Instant now) {
        return nextAttemptAt != null && now.isBefore(nextAttemptAt);
    }

    /** Whether its changes go into its log. */
    public boolean isCaptured() {
        return ends == null && (state != ReplicaState.STOPPED || verified != null);
    }

    Replica loadedAt(LogPlace at, @Nullable RunId run) {
        return new Replica(
                job,
                table,
                target,
                version + 1,
                ReplicaState.RUNNING,
                generation,
                run,
                at,
                at,
                0,
                null,
                null,
                null,
                null);
    }

    Replica reached(ReplicaState next, @Nullable LogPlace place) {
        return new Replica(
                job,
                table,
                target,
                version + 1,
                next,
                generation,
                loadRun,
                loaded,
                place,
                0,
                null,
                null,
                next == ReplicaState.ENDING || next == ReplicaState.STOPPED ? ends : null,
                next == ReplicaState.ENDING || next == ReplicaState.STOPPED ? stop : null);
    }

    /** For an event that changes nothing of it. */
    Replica unchanged() {
        return new Replica(
                job,
                table,
                target,
                version + 1,
                state,
                generation,
                loadRun,
                loaded,
                verified,
                failures,
                nextAttemptAt,
                failure,
                ends,
                stop);
    }

    Replica grown(LogPlace at) {
        return new Replica(
                job,
                table,
                target,
                version + 1,
                state,
                generation + 1,
                loadRun,
                at,
                at,
                0,
                null,
                null,
                null,
                null);
    }

    Replica rebuilt() {
        return new Replica(
                job,
                table,
                target,
                version + 1,
                ReplicaState.LOADING,
                generation + 1,
                loadRun,
                null,
                null,
                0,
                null,
                null,
                null,
                null);
    }

    Replica failed(String message, Instant next) {
        return new Replica(
                job,
                table,
                target,
                version + 1,
                state,
                generation,
                loadRun,
                loaded,
                verified,
                failures + 1,
                next,
                message,
                ends,
                stop);
    }

    Replica stopped(ReplicaState next, @Nullable LogPlace end, Stop reason) {
        return new Replica(
                job,
                table,
                target,
                version + 1,
                next,
                generation,
                loadRun,
                loaded,
                verified,
                failures,
                null,
                failure,
                end,
                reason);
    }
}
