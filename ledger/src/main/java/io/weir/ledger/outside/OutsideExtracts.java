package io.weir.ledger.outside;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.books.Bundles;
import io.weir.ledger.outside.OutsideReplies.Changed;
import io.weir.ledger.outside.OutsideReplies.Claimed;
import io.weir.ledger.outside.OutsideReplies.Reported;
import io.weir.ledger.outside.Turn.Note;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Claims, reports and failures of partitions of outside runs. */
final class OutsideExtracts {
    private static final Set<String> SNAPSHOT_CODES = Set.of("ORA-01555", "ORA-08180");
    private static final BigInteger MAX_ROWS = BigInteger.valueOf(Long.MAX_VALUE);

    private final OutsideTransactions transactions;
    private final OutsideSettings settings;
    private final Bundles<OutsideTransactions.Report, Reported> reports;
    private final Bundles<OutsideTransactions.Claim, Claimed> claims;

    OutsideExtracts(OutsideTransactions transactions, OutsideSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
        this.reports = UsualCalls.reports(transactions);
        this.claims = UsualCalls.claims(transactions);
    }

    Claimed claim(RunId runId, PartitionId id, OutsideRequests.Claim request, Actor actor) {
        String action = "claim partition " + id + " of run " + runId;
        return claims.call(new OutsideTransactions.Claim(
                        runId,
                        id,
                        Digests.sha256(request.token()),
                        request.worker(),
                        lease(request)))
                .orElseGet(() -> transactions.run(
                        action,
                        books -> claim(new Turn(books, settings, actor), runId, id, request)));
    }

    private long lease(OutsideRequests.Claim request) {
        Long asked = request.leaseMillis();
        return asked == null ? settings.stale().toMillis() : asked;
    }

    private Claimed claim(Turn turn, RunId runId, PartitionId id, OutsideRequests.Claim request) {
        OutsideRun run = turn.findRun(runId);
        OutsidePartition partition = turn.lockPartition(runId, id);
        String digest = Digests.sha256(request.token());
        if (partition.state() == PartitionState.RUNNING && digest.equals(partition.tokenDigest())) {
            return new Claimed(true, run, prolong(turn, partition));
        }
        if (!partition.state().isClaimable()) {
            return new Claimed(false, run, partition);
        }
        if (partition.state() == PartitionState.RETRY) {
            for (OutsideDispatch open : turn.books.lockUnsettledDispatches(runId)) {
                if (id.equals(open.partitionId())) {
                    turn.settle(open, DispatchState.ACKED);
                }
            }
        }
        long lease = lease(request);
        Columns changes = new Columns()
                .set("state", PartitionState.RUNNING.name())
                .set("epoch", partition.epoch() + 1)
                .set("token_digest", digest)
                .set("worker", request.worker())
                .set("lease_ms", lease)
                .set("lease_until", turn.now().plusMillis(lease))
                .set("started_at", turn.now())
                .set("rows", 0L)
                .set("bytes", 0L)
                .set("chunk_count", 0)
                .setFailure(null);
        OutsidePartition after = turn.move(partition, changes, Note.info("PARTITION_STARTED"));
        return new Claimed(true, run, after);
    }

    private static OutsidePartition prolong(Turn turn, OutsidePartition partition) {
        return turn.books.changePartition(
                partition,
                new Columns().set("lease_until", turn.now().plusMillis(partition.leaseMillis())));
    }

    /** Says that the worker is alive. */
    OutsidePartition heartbeat(
            RunId runId, PartitionId id, String token, @Nullable Long epoch, Actor actor) {
        return transactions.run(
                "prolong the claim of partition " + id + " of run " + runId, books -> {
                    Turn turn = new Turn(books, settings, actor);
                    OutsidePartition partition = turn.lockPartition(runId, id);
                    checkOwner(partition, token, epoch);
                    if (partition.state() != PartitionState.RUNNING) {
                        throw notRunning(partition, "prolong the claim of");
                    }
                    return prolong(turn, partition);
                });
    }

    /**
     * Reports chunks in order; what was recorded before one that is refused stays.
     *
     * @param chunks at least one
     */
    Reported report(RunId runId, PartitionId id, List<OutsideRequests.Chunk> chunks, Actor actor) {
        int last = chunks.size() - 1;
        Optional<Reported> reply = UsualReport.of(runId, id, chunks).flatMap(reports::call);
        if (reply.isPresent()) {
            return reply.get();
        }
        // The last one may end the partition; those before it rarely do.
        int done = last > 1
                        && UsualReport.of(runId, id, chunks.subList(0, last))
                                .flatMap(reports::call)
                                .isPresent()
                ? last
                : 0;
        for (OutsideRequests.Chunk chunk : chunks.subList(done, last)) {
            report(runId, id, chunk, actor);
        }
        return report(runId, id, chunks.get(last), actor);
    }

    private Reported report(RunId runId, PartitionId id, OutsideRequests.Chunk chunk, Actor actor) {
        if (chunk.index() >= chunk.total()) {
            throw WeirException.of(
                    ErrorCode.CHUNK_INDEX_OUT_OF_RANGE,
                    "Cannot report chunk " + chunk.index() + " of partition " + id
                            + ": there are fewer (chunks=" + chunk.total() + ")",
                    Map.of("chunkIndex", chunk.index(), "chunkCount", chunk.total()));
        }
        String action = "report a chunk of partition " + id + " of run " + runId;
        // Only the report that ends a partition needs the run: the others do not wait for it.
        Optional<Reported> reply = transactions.run(action, books -> {
            Turn turn = new Turn(books, settings, actor);
            return report(turn, turn.findRun(runId), id, chunk, false);
        });
        return reply.orElseGet(() -> transactions.run(action, books -> {
            Turn turn = new Turn(books, settings, actor);
            return report(turn, turn.lockRun(runId), id, chunk, true).orElseThrow();
        }));
    }

    /** Empty, with nothing written, if the report would end the partition and must not. */
    private Optional<Reported> report(
            Turn turn,
            OutsideRun run,
            PartitionId id,
            OutsideRequests.Chunk request,
            boolean mayEnd) {
        OutsidePartition partition = turn.lockPartition(run.id(), id);
        checkOwner(partition, request.token(), request.epoch());
        List<OutsideChunk> chunks =
                new ArrayList<>(turn.books.chunks(run.id(), id, partition.epoch()));
        boolean running = partition.state() == PartitionState.RUNNING;
        OutsideChunk chunk = chunk(run, partition, request, running);
        Optional<OutsideChunk> booked =
                chunks.stream().filter(other -> other.index() == chunk.index()).findFirst();
        if (booked.isPresent()) {
            if (!booked.get().saysTheSame(chunk)) {
                throw conflict(partition, chunk, "it was reported with other content");
            }
            return Optional.of(reply(
                    running ? prolong(turn, partition) : partition,
                    run,
                    chunks,
                    request.total(),
                    false));
        }
        if (partition.state() == PartitionState.SUCCESS) {
            throw conflict(partition, chunk, "the partition is complete without it");
        }
        chunks.add(chunk);
        ChunkGate gate = running
                ? ChunkGate.of(chunks, chunk.total(), partition.expectedRows())
                : ChunkGate.OPEN;
        if (gate != ChunkGate.OPEN && !mayEnd) {
            return Optional.empty();
        }
        turn.books.insertChunk(chunk, turn.now());
        if (!running) {
            return Optional.of(reply(partition, run, chunks, request.total(), false));
        }
        Columns counted = counted(turn, partition, chunks);
        return Optional.of(
                switch (gate) {
                    case OPEN ->
                        reply(
                                turn.books.changePartition(partition, counted),
                                run,
                                chunks,
                                request.total(),
                                false);
                    case COMPLETE -> complete(turn, run, partition, counted, chunks);
                    case BROKEN -> breakOff(turn, run, partition, counted, chunks);
                });
    }

    private static OutsideChunk chunk(
            OutsideRun run,
            OutsidePartition partition,
            OutsideRequests.Chunk request,
            boolean running) {
        return new OutsideChunk(
                run.id(),
                partition.id(),
                partition.epoch(),
                request.index(),
                request.total(),
                request.fragment(),
                path(run, partition, request),
                request.rows(),
                request.bytes(),
                running ? OutsideChunk.State.WRITTEN : OutsideChunk.State.LATE);
    }

    private static String path(
            OutsideRun run, OutsidePartition partition, OutsideRequests.Chunk request) {
        String name = request.fileName();
        String path = name == null ? request.path() : claimPath(run, partition) + name;
        boolean plain = name == null || OutsidePaths.isFileName(name);
        if (path == null || !plain || !OutsidePaths.isBelow(path, run.runPath())) {
            throw WeirException.of(
                    ErrorCode.HDFS_PATH_OUTSIDE_RUN,
                    "Cannot report chunk " + request.index() + " of partition " + partition.id()
                            + ": its file lies outside the run (path=" + path + ")",
                    Map.of("hdfsRunPath", run.runPath()));
        }
        return path;
    }

    /** Where the files of one claim belong, if its flow names files and not paths. */
    static String claimPath(OutsideRun run, OutsidePartition partition) {
        return run.runPath() + "/p=" + partition.id() + "/e=" + partition.epoch() + "/";
    }

    private static Columns counted(
            Turn turn, OutsidePartition partition, List<OutsideChunk> chunks) {
        long bytes = chunks.stream()
                .mapToLong(chunk -> chunk.bytes() == null ? 0 : chunk.bytes())
                .sum();
        return new Columns()
                .set("chunk_count", chunks.size())
                .set("rows", ChunkGate.rows(chunks).min(MAX_ROWS).longValueExact())
                .set("bytes", bytes)
                .set("lease_until", turn.now().plusMillis(partition.leaseMillis()));
    }

    private static Reported complete(
            Turn turn,
            OutsideRun run,
            OutsidePartition partition,
            Columns counted,
            List<OutsideChunk> chunks) {
        OutsidePartition after = turn.move(
                partition,
                ended(turn, counted, PartitionState.SUCCESS),
                Note.info("PARTITION_SUCCESS"));
        OutsideRun moved = turn.move(
                run,
                new Columns()
                        .set("succeeded_partitions", run.succeededPartitions() + 1)
                        .set("extracted_rows", run.extractedRows() + after.rows())
                        .set("heartbeat_at", turn.now()),
                Note.info("PARTITION_COUNTED"));
        boolean all = moved.succeededPartitions() == moved.partitionCount();
        OutsideRun done = all ? extracted(turn, moved) : moved;
        return reply(after, done, chunks, chunks.size(), all);
    }

    /** The last partition arrived: everything is there, and somebody is asked to validate it. */
    static OutsideRun extracted(Turn turn, OutsideRun run) {
        return turn.move(
                run,
                new Columns()
                        .set("state", RunState.EXTRACTED_VALIDATED.name())
                        .set("extracted_at", turn.now())
                        .set("heartbeat_at", turn.now()),
                Note.info("EXTRACT_VALIDATED"));
    }

    private static Reported breakOff(
            Turn turn,
            OutsideRun run,
            OutsidePartition partition,
            Columns counted,
            List<OutsideChunk> chunks) {
        Failure failure = new Failure(
                "PARTITION_GATE",
                "ROW_COUNT_MISMATCH",
                "Cannot accept partition " + partition.id() + " of run " + run.id()
                        + ": its files are not what the source counted (expected rows="
                        + partition.expectedRows() + ", found=" + ChunkGate.rows(chunks)
                        + ", files=" + chunks.size() + ")");
        OutsidePartition after = turn.move(
                partition,
                ended(turn, counted, PartitionState.FAILED).setFailure(failure),
                Note.error("PARTITION_FAILED", failure.message()));
        OutsideRun failed = endWith(turn, run, RunState.FAILED_EXTRACT, failure);
        return reply(after, failed, chunks, chunks.size(), false);
    }

    private static OutsideRun endWith(Turn turn, OutsideRun run, RunState state, Failure failure) {
        Columns changes =
                turn.ended(state, failure).set("failed_partitions", run.failedPartitions() + 1);
        return turn.move(run, changes, Note.error("RUN_FAILED", failure.message()));
    }

    private static Columns ended(Turn turn, Columns changes, PartitionState state) {
        return changes.set("state", state.name())
                .set("lease_until", null)
                .set("ended_at", turn.now());
    }

    private static Reported reply(
            OutsidePartition partition,
            OutsideRun run,
            List<OutsideChunk> chunks,
            int total,
            boolean scheduled) {
        return new Reported(partition.state(), run.state(), chunks.size(), total, scheduled);
    }

    Changed fail(RunId runId, PartitionId id, OutsideRequests.FailPartition request, Actor actor) {
        return transactions.run("fail partition " + id + " of run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            OutsidePartition partition = turn.lockPartition(runId, id);
            checkOwner(partition, request.token(), null);
            if (partition.state() == PartitionState.FAILED) {
                return new Changed(run.state(), false);
            }
            if (partition.state() != PartitionState.RUNNING) {
                throw notRunning(partition, "fail");
            }
            Failure failure = new Failure(request.stage(), request.code(), request.message());
            turn.move(
                    partition,
                    ended(turn, new Columns(), PartitionState.FAILED).setFailure(failure),
                    Note.error("PARTITION_FAILED", request.code() + " " + request.message()));
            boolean expired = request.errorClass().equals("SNAPSHOT")
                    || SNAPSHOT_CODES.contains(request.code().toUpperCase(Locale.ROOT));
            RunState state = expired ? RunState.FAILED_SNAPSHOT_EXPIRED : RunState.FAILED_EXTRACT;
            return new Changed(endWith(turn, run, state, failure).state(), true);
        });
    }

    private static void checkOwner(OutsidePartition partition, String token, @Nullable Long epoch) {
        String digest = partition.tokenDigest();
        boolean owner = digest != null && Digests.same(digest, Digests.sha256(token));
        boolean current = partition.state() != PartitionState.RETRY
                && (epoch == null || epoch == partition.epoch());
        if (!owner || !current) {
            throw WeirException.of(
                    ErrorCode.CLAIM_MISMATCH,
                    "Cannot work on partition " + partition.id() + " of run " + partition.runId()
                            + ": another claim holds it (epoch=" + partition.epoch() + ")",
                    Map.of("partitionStatus", partition.state().name()));
        }
    }

    private static WeirException notRunning(OutsidePartition partition, String action) {
        return WeirException.of(
                ErrorCode.PARTITION_STATUS_MISMATCH,
                "Cannot " + action + " partition " + partition.id() + " of run "
                        + partition.runId() + ": it is not being read (state="
                        + partition.state() + ")",
                Map.of("partitionStatus", partition.state().name()));
    }

    private static WeirException conflict(
            OutsidePartition partition, OutsideChunk chunk, String reason) {
        return WeirException.of(
                ErrorCode.CHUNK_CONFLICT,
                "Cannot report chunk " + chunk.index() + " of partition " + partition.id()
                        + " of run " + partition.runId() + ": " + reason + " (rows="
                        + chunk.rows() + ", path=" + chunk.path() + ")",
                Map.of("chunkIndex", chunk.index()));
    }
}
