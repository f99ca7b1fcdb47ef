package io.weir.testkit.proxy;

/** What the proxy knows of the bytes that it passes on. */
public enum Protocol {
    /** Nothing: there are no requests. */
    OPAQUE {
        @Override
        Framing.Pair framing() {
            return new Framing.Pair(Piece::copyOf, Piece::copyOf);
        }
    },
    /** Without TLS. */
    POSTGRESQL {
        @Override
        Framing.Pair framing() {
            return PostgresFraming.pair();
        }
    },
    /** Version 1.1, without TLS and upgrades. */
    HTTP {
        @Override
        Framing.Pair framing() {
            return HttpFraming.pair();
        }
    };

    /** For one connection. */
    abstract Framing.Pair framing();
}
