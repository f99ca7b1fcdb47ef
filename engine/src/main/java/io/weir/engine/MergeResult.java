package io.weir.engine;

import io.weir.core.route.Route;
import io.weir.core.row.Balance;
import io.weir.core.row.RowPositions;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/** What comes of merging a window. */
public sealed interface MergeResult {
    /**
     * The window fits the table.
     *
     * @param events changes without replays
     * @param replays changes that the table had already
     * @param inserted rows that come in where none was
     * @param updated rows that take the place of another
     * @param deleted rows that go out and leave none
     * @param truncates how often the table was truncated; if ever, every row of it goes out
     * @param appended files with the rows that come in
     * @param removed for each file of the table the rows that go out; all empty after a truncate
     * @param before Σ of the digests that the table holds of rows that go out
     * @param after Σ of the digests of rows that come in, as the log tells
     */
    record Merged(
            long events,
            long replays,
            long inserted,
            long updated,
            long deleted,
            long truncates,
            List<Appended> appended,
            List<RowPositions> removed,
            Balance before,
            Balance after)
            implements MergeResult {
        public Merged {
            appended = List.copyOf(appended);
            removed = List.copyOf(removed);
        }
    }

    /** A file with rows that come in. */
    record Appended(WrittenFile file, Route route) {}

    /**
     * The window does not fit the table.
     *
     * @param key as text, {@code id=42}
     * @param expected what had to be there, as text
     * @param found what is there, as text
     * @param place of the change; 0 if it concerns none
     * @param ordinal of the change
     * @param expectedRow digest of the row that had to be there; null if it is no row or unknown
     * @param foundRow digest of the row that is there
     */
    record Broken(
            Kind kind,
            String key,
            String expected,
            String found,
            long place,
            long ordinal,
            @Nullable UUID expectedRow,
            @Nullable UUID foundRow)
            implements MergeResult {
        Broken(Kind kind, String key, String expected, String found, long place, long ordinal) {
            this(kind, key, expected, found, place, ordinal, null, null);
        }

        /** The same about rows of these digests. */
        Broken between(@Nullable UUID expectedDigest, @Nullable UUID foundDigest) {
            return new Broken(
                    kind, key, expected, found, place, ordinal, expectedDigest, foundDigest);
        }

        /** The same in other words. */
        Broken saying(String expectedText, String foundText) {
            return new Broken(
                    kind, key, expectedText, foundText, place, ordinal, expectedRow, foundRow);
        }
    }

    /** Why a window does not fit. */
    enum Kind {
        /** A change takes away a row that the change before it did not leave. */
        CHANGE_OUT_OF_CHAIN,
        /** The table has another row than the first change of the key starts from. */
        ROW_NOT_AS_BEFORE,
        /** A key would have two rows. */
        KEY_TWICE,
        /** A change does not tell the whole row that it takes away or puts in. */
        IMAGE_PARTIAL,
        /** The changes of the window add up to something else than the rows of it. */
        SUMS_DIFFER
    }
}
