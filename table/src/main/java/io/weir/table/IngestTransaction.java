package io.weir.table;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * The rows that a streaming client wants in the table, all or none.
 *
 * @param agent who writes, in words; kept with the snapshot
 * @param mark which transaction of which source this is; null if nobody will ask
 * @param schema that the files were written with
 * @param partitionBy that the files were written with
 * @param files durable; none for a transaction without rows
 * @param delta the balance of the files
 */
public record IngestTransaction(
        String agent,
        @Nullable IngestMark mark,
        RowSchema schema,
        PartitionBy partitionBy,
        List<StagedFile> files,
        Balance delta) {
    public IngestTransaction {
        files = List.copyOf(files);
    }

    /** Files are written once, so their names tell one transaction from all others. */
    String token() {
        StringBuilder names = new StringBuilder().append(mark).append('\n');
        files.forEach(file -> names.append(file.path()).append('\n'));
        return UUID.nameUUIDFromBytes(names.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }
}
