package io.weir.testkit.proxy;

/** Which way bytes go. */
public enum Direction {
    /** From the client to the server. */
    UP,
    /** From the server to the client. */
    DOWN
}
