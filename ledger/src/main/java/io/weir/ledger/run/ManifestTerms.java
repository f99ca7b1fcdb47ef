package io.weir.ledger.run;

import io.weir.core.ledger.ReadOptions;
import io.weir.core.run.Consistency;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What the row of a run takes over from its manifest. */
public record ManifestTerms(
        String digest,
        SnapshotToken snapshot,
        @Nullable Position position,
        Consistency consistency,
        long sourceCount,
        int partitionCount,
        List<String> columns,
        List<String> keyColumns,
        ReadOptions reading) {
    public ManifestTerms {
        columns = List.copyOf(columns);
        keyColumns = List.copyOf(keyColumns);
    }
}
