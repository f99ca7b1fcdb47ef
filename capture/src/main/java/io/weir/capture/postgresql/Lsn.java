package io.weir.capture.postgresql;

import io.weir.core.run.Position;

import java.util.Locale;

/** Places in the log of a PostgreSQL server: as a number, and as the server writes them. */
final class Lsn {
    static final String KIND = "lsn";

    private Lsn() {}

    static Position position(long place) {
        String text = Long.toHexString(place >>> 32) + "/" + Long.toHexString(place & 0xffffffffL);
        return new Position(KIND, text.toUpperCase(Locale.ROOT));
    }
}
