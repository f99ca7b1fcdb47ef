package io.weir.core.chain;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/**
 * Where the changes of a key do not follow each other.
 *
 * @param place of the change that cannot follow, see {@link StateChain#change}
 * @param ordinal of it; 0 if the end of a transaction is what cannot be
 * @param expected digest of the row that had to be there; null if there had to be none
 * @param found digest of the row that is there; null if there is none
 */
public record Break(
        Kind kind,
        long place,
        long ordinal,
        @Nullable UUID expected,
        @Nullable UUID found) {
    /** What is wrong. */
    public enum Kind {
        /** A change takes away a row that is not there. */
        ROW_MISSING,
        /** At the end of a transaction the key has two rows. */
        TWO_ROWS
    }
}
