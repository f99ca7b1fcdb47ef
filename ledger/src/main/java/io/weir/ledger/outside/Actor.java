package io.weir.ledger.outside;

/**
 * Who asks for a change.
 *
 * @param name of the token that called, or of a loop of the ledger
 * @param requestId of the call, as its reply carries it
 */
public record Actor(String name, String role, String requestId) {
    /** The loops of the ledger. */
    public static Actor loop(String name) {
        return new Actor(name, "ledger", "-");
    }
}
