package io.weir.testkit.proxy;

import java.util.function.Consumer;

/** Cuts the bytes of one direction of one connection into pieces. */
@FunctionalInterface
interface Framing {
    /** Takes what was read, and gives out what can be passed on. */
    void accept(byte[] buffer, int length, Consumer<Piece> out);

    /** At the end of the stream: what is incomplete is passed on as it is. */
    default void end(Consumer<Piece> out) {}

    /** Both directions; they may share what one has to know of the other. */
    record Pair(Framing up, Framing down) {}
}
