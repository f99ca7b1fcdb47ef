package io.weir.ledger.chunk;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkFile;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Loss;
import io.weir.core.run.PartitionId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** What can be told of a report without looking at any row. */
public final class ChunkRules {
    private static final int REPORTS_MAX = 10_000;

    private ChunkRules() {}

    /**
     * Checks the reports of one call.
     *
     * @throws WeirException {@link ErrorCode#CHUNK_INVALID}
     */
    public static void check(Claim claim, List<ChunkReport> reports) {
        if (reports.isEmpty() || reports.size() > REPORTS_MAX) {
            throw invalid(
                    claim,
                    "no chunk",
                    "a call holds 1 to " + REPORTS_MAX,
                    "chunks",
                    reports.size());
        }
        Set<Integer> indexes = new HashSet<>();
        for (ChunkReport report : reports) {
            check(claim, report);
            if (!indexes.add(report.index())) {
                throw invalid(
                        claim,
                        "chunk " + report.index(),
                        "the call holds it twice",
                        "index",
                        report.index());
            }
        }
    }

    /** The rows that the reports ask for, under the path of the data of the run. */
    public static List<ChunkRow> rows(Claim claim, List<ChunkReport> reports, String dataPath) {
        PartitionId id = claim.partitionId();
        String directory = ChunkFile.directory(dataPath, id, claim.epoch());
        List<ChunkRow> rows = new ArrayList<>();
        for (ChunkReport report : reports) {
            Chunk chunk = new Chunk(
                    claim.runId(),
                    id,
                    claim.epoch(),
                    report.index(),
                    ChunkFile.path(directory, id, report.index(), report.bytes()),
                    report.bytes(),
                    report.balance(),
                    null,
                    report.last(),
                    ChunkState.WRITTEN);
            rows.add(new ChunkRow(chunk, merged(report.losses())));
        }
        return rows;
    }

    private static void check(Claim claim, ChunkReport report) {
        String chunk = "chunk " + report.index();
        if (report.index() < 0) {
            throw invalid(claim, chunk, "the index is negative", "index", report.index());
        }
        if (report.bytes() < 0) {
            throw invalid(claim, chunk, "the size is negative", "bytes", report.bytes());
        }
        if (report.balance().rows() < 0) {
            throw invalid(
                    claim,
                    chunk,
                    "the row count is negative",
                    "rows",
                    report.balance().rows());
        }
        if (report.balance().rows() == 0 && report.balance().digestSum().signum() != 0) {
            throw invalid(
                    claim,
                    chunk,
                    "no rows have a digest sum",
                    "balance",
                    report.balance().toString());
        }
        for (Loss loss : report.losses()) {
            if (loss.values() < 0) {
                throw invalid(claim, chunk, "a loss is negative", loss.column(), loss.values());
            }
        }
        boolean alone = report.index() == 0 && report.last();
        if (report.bytes() == 0 && (report.balance().rows() > 0 || !alone)) {
            throw invalid(
                    claim,
                    chunk,
                    "only the single chunk of a partition without rows has no file",
                    "rows",
                    report.balance().rows());
        }
    }

    private static List<Loss> merged(List<Loss> losses) {
        TreeMap<String, Long> sums = new TreeMap<>();
        losses.forEach(loss -> sums.merge(loss.column(), loss.values(), Math::addExact));
        List<Loss> merged = new ArrayList<>();
        sums.forEach((column, values) -> merged.add(new Loss(column, values)));
        return merged;
    }

    private static WeirException invalid(
            Claim claim, String chunk, String reason, String fact, @Nullable Object value) {
        return new WeirException(
                ErrorCode.CHUNK_INVALID,
                "Cannot report " + chunk + " of partition " + claim.partitionId() + " of run "
                        + claim.runId() + ": " + reason + " (" + fact + "=" + value + ")");
    }
}
