package io.weir.table;

import io.weir.core.route.KeyedRows;
import io.weir.core.row.Balance;

import java.util.List;

/**
 * The files that a run takes the place of.
 *
 * @param rows what the business key of the run names
 * @param files all live files of the base that hold such rows, and no other
 * @param balance of these files, measured from their own bytes
 */
public record Removal(KeyedRows rows, List<FileEntry> files, Balance balance) {
    public Removal {
        files = List.copyOf(files);
    }
}
