package io.weir.table;

import java.util.Locale;

/** The columns of a change log, in their order. */
public enum LogColumn {
    /** The end of the transaction in the log of the source, as a number that grows. */
    PLACE,
    /** The number of the change in its transaction. */
    ORDINAL,
    TRANSACTION,
    /** When the transaction was committed. */
    COMMITTED,
    /** {@code insert}, {@code update}, {@code delete} or {@code truncate}. */
    OP,
    /** The row as it was; NULL where there was none or nothing is known of it. */
    BEFORE,
    /** The row as it is; NULL where there is none. */
    AFTER,
    /** NULL without a complete image. */
    BEFORE_DIGEST,
    AFTER_DIGEST,
    /** Names of the columns that a partial image lacks, in double quotes, with commas between. */
    BEFORE_MISSING,
    AFTER_MISSING;

    /** The name in the table. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
