package io.weir.flow.fsck;

import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.table.LakeTable;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a table has to show if nobody but Weir writes to it: the chunks of every run that was
 * published since the latest replacement, that one included.
 *
 * @param chunks by the location of their file
 * @param balance of all of them
 */
record TableBooks(Map<String, Chunk> chunks, Balance balance) {
    /** Names of all tables that a run was published to. */
    static Set<String> targets(Ledger ledger) {
        return runs(ledger).stream()
                .filter(TableBooks::isPublished)
                .map(Run::target)
                .collect(Collectors.toSet());
    }

    static TableBooks of(Ledger ledger, LakeTable table) {
        List<Run> visible = new ArrayList<>();
        for (Run run : runs(ledger)) {
            if (run.target().equals(table.target())
                    && (isPublished(run) || isVisible(ledger, table, run))) {
                visible.add(run);
            }
        }
        // One that is not settled yet came last: it keeps all others from the target.
        visible.sort(Comparator.comparing(
                Run::publishedAt, Comparator.nullsFirst(Comparator.<Instant>reverseOrder())));
        Map<String, Chunk> chunks = new LinkedHashMap<>();
        Balance balance = Balance.ZERO;
        for (Run run : visible) {
            for (Chunk chunk : ledger.detail(run.id()).chunks()) {
                String path = chunk.path();
                if (path != null) {
                    chunks.put(path, chunk);
                }
            }
            balance = balance.plus(run.extracted());
            if (run.publishMode() == PublishMode.REPLACE) {
                break;
            }
        }
        return new TableBooks(chunks, balance);
    }

    @Nullable
    Chunk chunkOf(String path) {
        return chunks.get(path);
    }

    private static List<Run> runs(Ledger ledger) {
        return ledger.runs(new RunFilter(null, false, Integer.MAX_VALUE));
    }

    private static boolean isPublished(Run run) {
        return run.publishedSnapshotId() != null;
    }

    /** The commit may have happened before the ledger heard of it. */
    private static boolean isVisible(Ledger ledger, LakeTable table, Run run) {
        if (run.state() != RunState.PUBLISHING && run.state() != RunState.PUBLISH_UNKNOWN) {
            return false;
        }
        RunDetail detail = ledger.detail(run.id());
        return detail.attempts().stream()
                .filter(attempt -> attempt.state() == AttemptState.OPEN
                        || attempt.state() == AttemptState.UNKNOWN)
                .anyMatch(attempt -> table.read(attempt).published());
    }
}
