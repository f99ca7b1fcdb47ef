package io.weir.core.run;

import java.time.Instant;
import java.util.UUID;

/**
 * A process that keeps the snapshot of a run alive at the source.
 *
 * @param id of the holder, made by it
 * @param token what others import to read at the same state, exported by this holder
 * @param worker name of the process
 * @param leaseUntil when the holder counts as gone unless it gives a sign
 */
public record SnapshotHolder(
        RunId runId, UUID id, SnapshotToken token, String worker, Instant leaseUntil) {}
