package io.weir.server.lineage;

import io.weir.core.ledger.RunDetail;
import io.weir.core.run.Chunk;
import io.weir.core.run.Cut;
import io.weir.core.run.Failure;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsidePartition;
import io.weir.ledger.outside.OutsideReplies;
import io.weir.ledger.outside.OutsideRun;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/**
 * What lineage says of a run, whichever books it is in.
 *
 * @param parent the cut and its job; null for a run that is alone
 * @param source null where the ledger does not know it
 * @param columns names as at the source; empty where the ledger does not know them
 * @param sourceRows as the source counted them; null before the manifest
 * @param rows in the target, once the run succeeded
 * @param files null where the ledger does not know
 * @param version of the target that shows the rows; null before and where it has none
 */
record LineageRun(
        UUID id,
        String job,
        @Nullable Parent parent,
        RunState state,
        @Nullable Failure failure,
        @Nullable Dataset source,
        Dataset target,
        List<String> columns,
        @Nullable Long sourceRows,
        long rows,
        long bytes,
        @Nullable Long files,
        @Nullable String version) {
    private static final String LAKE = "weir";
    private static final String OUTSIDE = "weir.outside";

    /** A table as lineage names it. */
    record Dataset(String namespace, String name) {}

    /** A cut as a run of its job. */
    record Parent(UUID id, String job) {}

    static LineageRun of(RunDetail detail) {
        Run run = detail.run();
        Cut cut = run.cut();
        Parent parent = cut == null || cut.tables() == 1 ? null : new Parent(cut.id(), run.job());
        Long version = run.publishedSnapshotId();
        return new LineageRun(
                run.id().value(),
                parent == null ? run.job() : run.job() + "." + run.target(),
                parent,
                run.state(),
                run.failure(),
                new Dataset(run.source(), run.sourceTable()),
                new Dataset(LAKE, run.target()),
                detail.columns(),
                run.sourceCount(),
                run.extracted().rows(),
                detail.chunks().stream().mapToLong(Chunk::bytes).sum(),
                detail.chunks().stream().filter(chunk -> chunk.path() != null).count(),
                version == null ? null : version.toString());
    }

    static LineageRun of(OutsideReplies.Detail detail) {
        OutsideRun run = detail.run();
        Long target = run.targetCount();
        return new LineageRun(
                run.id().value(),
                run.job(),
                null,
                run.state(),
                run.failure(),
                null,
                new Dataset(OUTSIDE, run.stageTable()),
                List.of(),
                run.sourceCount(),
                target == null ? run.extractedRows() : target,
                detail.partitions().stream().mapToLong(OutsidePartition::bytes).sum(),
                null,
                null);
    }
}
