package io.weir.ledger.replica;

/**
 * Why a table is no longer merged, until a person acts.
 *
 * @param code an error code
 * @param message what was found where
 * @param command what to type once the cause is mended
 */
public record Stop(String code, String message, String command) {}
