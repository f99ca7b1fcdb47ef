package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.sql.SQLException;
import java.util.Arrays;

/**
 * Cuts the binary stream of a COPY into rows and fields. It trusts nothing: the signature, the
 * number of fields, their sizes, the trailer and the server's own row count are checked, so that a
 * stream that breaks off can never pass for a short table.
 */
final class CopyTuples {
    private static final byte[] SIGNATURE = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0
    };
    private static final int FLAGS_AT = SIGNATURE.length;
    private static final int EXTENSION_AT = FLAGS_AT + Integer.BYTES;
    private static final int HEADER_BYTES = EXTENSION_AT + Integer.BYTES;
    private static final int CRITICAL_FLAGS = 0xFFFF_0000;
    private static final short TRAILER = -1;
    private static final int INCOMPLETE = -1;

    private final CopyMessages messages;
    private final Activity activity;
    private final WireType[] types;
    private final int[] offsets;
    private final int[] lengths;
    private byte[] buffer = {};
    private int position;
    private int tupleBytes;
    private long rows;
    private boolean started;
    private boolean ended;

    CopyTuples(CopyMessages messages, Activity activity, WireType[] types) {
        this.messages = messages;
        this.activity = activity;
        this.types = types.clone();
        this.offsets = new int[types.length];
        this.lengths = new int[types.length];
    }

    /** Whether there is a row after the current one; may wait for the server. */
    boolean hasNext() {
        if (ended) {
            return false;
        }
        if (!started) {
            readHeader();
        }
        while (buffer.length - position < Short.BYTES) {
            refill();
        }
        if (Wire.shortAt(buffer, position) == TRAILER) {
            readEnd();
            ended = true;
            return false;
        }
        return true;
    }

    /** Moves to the next row; false at the end. */
    boolean next() {
        if (!hasNext()) {
            return false;
        }
        int end = frame();
        while (end == INCOMPLETE) {
            refill();
            end = frame();
        }
        tupleBytes = end - position;
        position = end;
        rows++;
        return true;
    }

    /** Holds the current row until {@link #hasNext} or {@link #next} is called. */
    byte[] buffer() {
        return buffer;
    }

    /** Where the value of each field begins. */
    int[] offsets() {
        return offsets;
    }

    /** The length of each value; negative: NULL. */
    int[] lengths() {
        return lengths;
    }

    int tupleBytes() {
        return tupleBytes;
    }

    /** Whether trailer and row count were seen and right. */
    boolean isEnded() {
        return ended;
    }

    private void readHeader() {
        while (buffer.length < HEADER_BYTES) {
            refill();
        }
        if (!Arrays.equals(buffer, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            throw broken("it does not start with the signature of a binary COPY");
        }
        int flags = Wire.intAt(buffer, FLAGS_AT);
        if ((flags & CRITICAL_FLAGS) != 0) {
            throw broken("it has flags that are not known (flags=" + flags + ")");
        }
        int extension = Wire.intAt(buffer, EXTENSION_AT);
        if (extension < 0) {
            throw broken("its header is damaged (extension=" + extension + ")");
        }
        while (buffer.length - HEADER_BYTES < extension) {
            refill();
        }
        position = HEADER_BYTES + extension;
        started = true;
    }

    /** Finds the fields of the row at the position, or says that it goes on in a later message. */
    private int frame() {
        int at = position;
        int fields = Wire.shortAt(buffer, at);
        if (fields != types.length) {
            throw broken("a row has another number of fields (expected=" + types.length + ", found="
                    + fields + ")");
        }
        at += Short.BYTES;
        for (int i = 0; i < fields; i++) {
            if (buffer.length - at < Integer.BYTES) {
                return INCOMPLETE;
            }
            int length = Wire.intAt(buffer, at);
            at += Integer.BYTES;
            offsets[i] = at;
            lengths[i] = length;
            if (length < 0) {
                continue;
            }
            int size = types[i].size();
            if (size != WireType.VARIABLE && size != length) {
                throw broken("a value has another size (field=" + (i + 1) + ", type=" + types[i]
                        + ", bytes=" + length + ")");
            }
            if (buffer.length - at < length) {
                return INCOMPLETE;
            }
            at += length;
        }
        return at;
    }

    private void readEnd() {
        position += Short.BYTES;
        if (position != buffer.length || receive().length != 0) {
            throw broken("there are bytes after its end");
        }
        if (messages.rowsSent() != rows) {
            throw broken("the server counted other rows than arrived (sent=" + messages.rowsSent()
                    + ", received=" + rows + ")");
        }
    }

    private void refill() {
        byte[] message = receive();
        if (message.length == 0) {
            throw broken("it ended before its trailer");
        }
        int rest = buffer.length - position;
        if (rest > 0) {
            byte[] joined = Arrays.copyOfRange(buffer, position, position + rest + message.length);
            System.arraycopy(message, 0, joined, rest, message.length);
            buffer = joined;
        } else {
            buffer = message;
        }
        position = 0;
    }

    /** The next message that is not empty; empty at the end. */
    private byte[] receive() {
        try {
            byte[] message = messages.next();
            while (message != null && message.length == 0) {
                message = messages.next();
            }
            return message == null ? new byte[0] : message;
        } catch (SQLException e) {
            throw PostgresErrors.during(activity.after(rows), e);
        }
    }

    private WeirException broken(String reason) {
        return new WeirException(
                ErrorCode.SOURCE_CONNECTION_LOST,
                "Cannot " + activity.action() + ": the stream of rows is broken, " + reason
                        + " (rows=" + rows + ")");
    }
}
