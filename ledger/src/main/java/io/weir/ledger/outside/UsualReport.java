package io.weir.ledger.outside;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What nearly every report is: new chunks of a partition that is not complete with them. */
final class UsualReport {
    private UsualReport() {}

    /** Empty unless these may be new chunks of a partition that stays open. */
    static Optional<OutsideTransactions.Report> of(
            RunId runId, PartitionId id, List<OutsideRequests.Chunk> chunks) {
        OutsideRequests.Chunk first = chunks.get(0);
        boolean alike = chunks.stream()
                .allMatch(chunk -> chunk.total() == first.total()
                        && chunk.index() < chunk.total()
                        && chunk.token().equals(first.token())
                        && Objects.equals(chunk.epoch(), first.epoch())
                        && isPlain(chunk));
        long indexes = chunks.stream()
                .mapToInt(OutsideRequests.Chunk::index)
                .distinct()
                .count();
        if (!alike || indexes < chunks.size()) {
            return Optional.empty();
        }
        return Optional.of(new OutsideTransactions.Report(
                runId, id, Digests.sha256(first.token()), first.epoch(), first.total(), chunks));
    }

    private static boolean isPlain(OutsideRequests.Chunk chunk) {
        String name = chunk.fileName();
        String path = chunk.path();
        return name == null
                ? path != null && OutsidePaths.isPlain(path) && !path.endsWith("/")
                : OutsidePaths.isFileName(name);
    }
}
