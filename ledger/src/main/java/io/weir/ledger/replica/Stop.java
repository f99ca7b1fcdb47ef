package io.weir.ledger.replica;

import org.jspecify.annotations.Nullable;

/**
 * Why a table is no longer merged, until a person acts.
 *
 * @param code an error code
 * @param message what was found where
 * @param command what to type once the cause is mended
 * @param key of the row that it is about, {@code id=42}; null if it is about none or the table has
 *     no key
 * @param expected what had to be there; null if the message says all
 * @param found what is there; null if the message says all
 */
public record Stop(
        String code,
        String message,
        String command,
        @Nullable String key,
        @Nullable String expected,
        @Nullable String found) {
    /** A stop whose message says all. */
    public Stop(String code, String message, String command) {
        this(code, message, command, null, null, null);
    }
}
