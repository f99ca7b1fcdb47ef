package io.weir.table;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.row.Balance;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/** The words of streaming commits in snapshot summaries and table properties. */
final class IngestSummary {
    static final String TOKENS = "weir.ingest.tokens";
    static final String TRANSACTIONS = "weir.ingest.transactions";
    static final String REWRITE = "weir.ingest.rewrite";
    static final String FENCE = "weir.ingest.fence";

    private IngestSummary() {}

    /** Property of what is committed of a source. */
    static String sourceKey(String source) {
        return "weir.ingest.source." + source;
    }

    static void sign(SnapshotUpdate<?> update, List<IngestTransaction> group) {
        ArrayNode all = Json.array();
        for (IngestTransaction transaction : group) {
            ObjectNode one = all.addObject().put("agent", transaction.agent());
            IngestMark mark = transaction.mark();
            if (mark != null) {
                one.put("source", mark.source())
                        .put("epoch", mark.epoch())
                        .put("sequence", mark.sequence());
            }
            one.put("rows", transaction.delta().rows())
                    .put("digest", transaction.delta().digestText());
        }
        update.set(
                TOKENS,
                group.stream().map(IngestTransaction::token).collect(Collectors.joining(" ")));
        update.set(TRANSACTIONS, Json.line(all));
    }

    static boolean isIngest(Snapshot snapshot) {
        return snapshot.summary().containsKey(TOKENS);
    }

    /** What the snapshot added, as it says of itself. */
    static Balance delta(Snapshot snapshot) {
        return Balance.of(
                SnapshotSummary.number(snapshot.summary().get(SnapshotSummary.DELTA_ROWS)),
                String.valueOf(snapshot.summary().get(SnapshotSummary.DELTA_DIGEST)));
    }

    /** The snapshot of main that carries a token; null if there is none. */
    static @Nullable Snapshot find(TableMetadata metadata, String token) {
        Snapshot at = metadata.currentSnapshot();
        while (at != null) {
            String tokens = at.summary().get(TOKENS);
            if ((tokens != null && tokens.contains(token))
                    || token.equals(at.summary().get(REWRITE))) {
                return at;
            }
            Long parent = at.parentId();
            at = parent == null ? null : metadata.snapshot(parent);
        }
        return null;
    }
}
