package io.weir.testkit.proxy;

/** What happens at one request. */
public enum Fault {
    /** The server never sees it; what came before it is answered. */
    CUT_BEFORE,
    /**
     * The server answers it, the client never sees the answer: when it is cut, all is done. What
     * the client sent ahead of the answer does not arrive.
     */
    CUT_AFTER,
    /** From it on its connection is a black hole in both directions; the others are well. */
    BLACK_HOLE,
    /**
     * The server gets it twice, once on a connection of its own; the client sees the answer to the
     * second. Only where a request stands alone: HTTP.
     */
    DUPLICATE
}
