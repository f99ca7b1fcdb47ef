package io.weir.testkit.proxy;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Bytes that are passed on together. */
final class Piece {
    /** What these bytes mean for the conversation. */
    enum Kind {
        PLAIN,
        /** A request is complete with them. */
        REQUEST,
        /** A reply ends with them. */
        END_OF_REPLY,
        /** The same, but nothing was asked for. */
        END_OF_LOGIN,
        /** The client needs them before its request is complete. */
        INTERIM
    }

    final Kind kind;
    final byte[] bytes;
    /** Of a request. */
    final List<String> statements;

    private Piece(Kind kind, byte[] bytes, List<String> statements) {
        this.kind = kind;
        this.bytes = bytes;
        this.statements = statements;
    }

    static Piece of(Kind kind, byte[] bytes) {
        return new Piece(kind, bytes, List.of());
    }

    static Piece plain(byte[] bytes) {
        return of(Kind.PLAIN, bytes);
    }

    static Piece request(byte[] bytes, List<String> statements) {
        return new Piece(Kind.REQUEST, bytes, List.copyOf(statements));
    }

    /** For protocols that nobody knows. */
    static void copyOf(byte[] buffer, int length, Consumer<Piece> out) {
        out.accept(plain(Arrays.copyOf(buffer, length)));
    }
}
