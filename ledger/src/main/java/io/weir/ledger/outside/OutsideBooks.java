package io.weir.ledger.outside;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The tables of outside runs inside one transaction. Rows are locked in the order run, partition,
 * chunk, dispatch. A change names the columns that it changes; the version of the row guards it.
 */
public interface OutsideBooks {
    /** The time of the books. Ask after the row is locked. */
    Instant now();

    UUID newId();

    /** Empty, with nothing written, if the key is taken or another run of the same is active. */
    Optional<OutsideRun> insertRun(Columns row);

    /** Reads without a lock. */
    Optional<OutsideRun> findRun(RunId id);

    Optional<OutsideRun> lockRun(RunId id);

    /** Empty at once if another transaction holds the row. */
    Optional<OutsideRun> lockRunIfFree(RunId id);

    Optional<OutsideRun> runOfKey(String idempotencyKey);

    Optional<OutsideRun> activeRun(String job, String businessKey);

    List<OutsideRun> runs(RunQuery query);

    /** Active runs, oldest first. */
    List<RunId> activeRuns(int most);

    /** Runs that ended and were not cleaned up after, oldest end first; a null job means any. */
    List<OutsideRun> cleanable(@Nullable String job, Instant succeeded, Instant failed, int most);

    OutsideRun changeRun(OutsideRun before, Columns changes);

    void insertPartitions(List<Columns> rows);

    Optional<OutsidePartition> lockPartition(RunId runId, PartitionId id);

    /** In split order, without locks. */
    List<OutsidePartition> partitions(RunId runId);

    /** Those that run although their lease is over, in the order of the split. */
    List<OutsidePartition> lockLostPartitions(RunId runId, Instant now);

    /** Closes those that did not end, because their run did; as they are now. */
    List<OutsidePartition> closePartitions(RunId runId, Instant at);

    OutsidePartition changePartition(OutsidePartition before, Columns changes);

    /** Chunks of one claim by index. */
    List<OutsideChunk> chunks(RunId runId, PartitionId id, long epoch);

    /** WRITTEN chunks of the current claims, in split order. */
    List<OutsideChunk> countedChunks(RunId runId);

    void insertChunk(OutsideChunk chunk, Instant writtenAt);

    /** Chunks of claims that were lost never count. */
    void failChunks(RunId runId, PartitionId id);

    void upsertMetrics(RunId runId, List<OutsideMetric> metrics, Instant measuredAt);

    /** Source, staging, target, then by name. */
    List<OutsideMetric> metrics(RunId runId);

    void insertDispatch(Columns row);

    Optional<OutsideDispatch> lockDispatch(RunId runId, UUID id);

    List<OutsideDispatch> dispatches(RunId runId);

    /** Locks those in PENDING, SENT and DEAD. */
    List<OutsideDispatch> lockUnsettledDispatches(RunId runId);

    /** Locks due rows that nobody else holds, oldest first. */
    List<OutsideDispatch> lockDueDispatches(Instant now, Set<OutsideDispatch.Kind> kinds, int most);

    /** Guarded by state and attempts. */
    OutsideDispatch changeDispatch(OutsideDispatch before, Columns changes);

    void insertEvent(Columns row);

    /** The newest ones, oldest of them first. */
    List<OutsideEvent> events(RunId runId, int most);

    /** The newest CLEANUP_FAILED of each run since a time that is not cleaned yet. */
    List<OutsideEvent> failedCleanups(Instant since);

    /** Appends an entry to the chain of a subject. */
    void appendAudit(
            String subject, Actor actor, String action, @Nullable String reason, String details);

    /** Dispatches by state, of all runs. */
    Map<String, Long> dispatchCounts();

    /** Active runs by state. */
    Map<String, Long> activeCounts();

    long endedSince(Instant since);

    /** DEAD rows whose run is still active. */
    List<OutsideDispatch> deadDispatches(int most);

    /** Runs that ended badly since a time. */
    List<OutsideRun> failedSince(Instant since, int most);
}
