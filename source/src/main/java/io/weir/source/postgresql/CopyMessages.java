package io.weir.source.postgresql;

import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

import java.sql.SQLException;

/** The messages of one COPY, however the server cuts them. */
interface CopyMessages {
    /** The next message; null at the end, and at every call after it. */
    byte @Nullable [] next() throws SQLException;

    /** How many rows the server says it sent; known at the end. */
    long rowsSent();

    /** Those that the driver receives. */
    static CopyMessages of(CopyOut copy) {
        return new CopyMessages() {
            private boolean ended;

            @Override
            public byte @Nullable [] next() throws SQLException {
                // The driver fails if it is asked again after the end.
                byte @Nullable [] message = ended ? null : copy.readFromCopy();
                ended = message == null;
                return message;
            }

            @Override
            public long rowsSent() {
                return copy.getHandledRowCount();
            }
        };
    }
}
