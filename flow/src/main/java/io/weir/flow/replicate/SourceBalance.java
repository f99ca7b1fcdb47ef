package io.weir.flow.replicate;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Balance;
import io.weir.core.row.RowSchema;
import io.weir.core.run.KeyRange;
import io.weir.source.PartitionRows;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.SplitOptions;
import io.weir.source.TableSpec;

import org.apache.arrow.vector.ipc.ArrowReader;

import java.io.IOException;
import java.util.List;

/** What a table of the source adds up to now: to be held against its copy while nobody writes. */
public final class SourceBalance {
    private static final long CHUNK_BYTES = 64L << 20;

    private SourceBalance() {}

    /**
     * Reads every row.
     *
     * @param rows the columns under the field ids that the digests of the copy are computed with
     * @throws WeirException as {@link Source#openSnapshot}, and for a value that cannot be held
     */
    public static Balance of(Source source, TableSpec table, RowSchema rows) {
        Balance sum = Balance.ZERO;
        try (SourceSnapshot snapshot = source.openSnapshot(List.of(table), 1)) {
            for (KeyRange range : snapshot.split(table, SplitOptions.DEFAULTS)) {
                sum = sum.plus(balance(snapshot.reader(0).read(table.table(), rows, range)));
            }
        }
        return sum;
    }

    private static Balance balance(PartitionRows partition) {
        Balance sum = Balance.ZERO;
        try (partition) {
            while (!partition.exhausted()) {
                try (ArrowReader chunk = partition.nextChunk(CHUNK_BYTES)) {
                    while (chunk.loadNextBatch()) {
                        chunk.getVectorSchemaRoot().clear();
                    }
                } catch (IOException e) {
                    throw new WeirException(
                            ErrorCode.INTERNAL, "Cannot read a chunk: " + e.getMessage(), e);
                }
                sum = sum.plus(partition.totals().balance());
            }
        }
        return sum;
    }
}
