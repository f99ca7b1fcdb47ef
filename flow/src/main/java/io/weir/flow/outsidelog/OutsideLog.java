package io.weir.flow.outsidelog;

import io.weir.engine.OutsideColumns;

import java.nio.file.Path;
import java.util.List;

/**
 * The changes of one table as somebody else writes them.
 *
 * @param directory Parquet files below it hold them
 * @param key columns that make a row unique; none: equal rows may repeat
 * @param exclude columns of the rows to leave out
 * @param complete whether the greatest position is always there in whole; if not, its changes wait
 *     until a greater one comes
 */
public record OutsideLog(
        Path directory,
        OutsideColumns columns,
        List<String> key,
        List<String> exclude,
        boolean complete) {
    public OutsideLog {
        key = List.copyOf(key);
        exclude = List.copyOf(exclude);
        if (key.isEmpty() && columns.ordinal() == null) {
            throw new IllegalArgumentException(
                    "Without a key only ordinals tell equal changes apart");
        }
    }
}
