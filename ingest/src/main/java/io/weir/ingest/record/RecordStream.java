package io.weir.ingest.record;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a stream into records and changes no byte of them. A byte order mark at the beginning is
 * left out; the end of the stream ends the last record and begins no other.
 */
public final class RecordStream {
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    private static final int FIRST_BYTES = 1 << 16;

    /** A quote that nobody closes must not take all memory. */
    private static final int RECORD_BYTES_MAX = 64 << 20;

    private final InputStream in;
    private final Framing framing;
    private final int recordBytesMax;
    private byte[] buffer = new byte[FIRST_BYTES];
    private int filled;
    private int next;
    private boolean ended;
    private int offset;
    private int length;
    private long line;
    private long nextLine = 1;
    private boolean begun;
    private @Nullable String text;
    private int textAt;

    public RecordStream(InputStream in, Framing framing) {
        this(in, framing, RECORD_BYTES_MAX);
    }

    /**
     * The same with another limit.
     *
     * @param recordBytesMax a longer record ends the stream with an error
     */
    RecordStream(InputStream in, Framing framing, int recordBytesMax) {
        this.in = in;
        this.framing = framing;
        this.recordBytesMax = recordBytesMax;
    }

    /**
     * Goes to the next record.
     *
     * @return false at the end of the stream
     * @throws IOException from the stream, or if a record is longer than 64 MB; the record that was
     *     cut off is not seen
     */
    public boolean next() throws IOException {
        if (!begun) {
            begun = true;
            skipMark();
        }
        if (next == filled) {
            text = null;
        }
        while (next == filled) {
            if (!fill()) {
                return false;
            }
        }
        line = nextLine;
        if (framing.pattern() == null) {
            scan();
        } else {
            match(framing.pattern());
        }
        return true;
    }

    /** Holds the current record until the next call of {@link #next}. */
    public byte[] bytes() {
        return buffer;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    /** The line in which the record begins, from 1. */
    public long line() {
        return line;
    }

    private void skipMark() throws IOException {
        while (filled < MARK.length && fill()) {
            // A stream may give one byte at a time.
        }
        if (filled >= MARK.length && Arrays.equals(buffer, 0, MARK.length, MARK, 0, MARK.length)) {
            next = MARK.length;
        }
    }

    /** Reads more behind what there is; keeps everything from {@link #next} on. */
    private boolean fill() throws IOException {
        if (ended) {
            return false;
        }
        if (next > 0) {
            System.arraycopy(buffer, next, buffer, 0, filled - next);
            filled -= next;
            next = 0;
        }
        if (filled == buffer.length) {
            if (filled >= recordBytesMax) {
                throw new IOException("the record that begins in line " + line
                        + " does not end; are its quotes closed? (bytes=" + filled + ", most="
                        + recordBytesMax + ")");
            }
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int count = in.read(buffer, filled, buffer.length - filled);
        if (count < 0) {
            ended = true;
            return false;
        }
        filled += count;
        return true;
    }

    private void scan() throws IOException {
        int at = 0;
        boolean fieldBegins = true;
        boolean quoted = false;
        while (true) {
            if (next + at == filled && !fill()) {
                take(at, 0);
                return;
            }
            byte b = buffer[next + at];
            if (quoted) {
                quoted = b != framing.quote();
                nextLine += b == '\n' ? 1 : 0;
            } else if (b == '\n') {
                take(at, 1);
                nextLine++;
                return;
            } else if (b == '\r') {
                boolean pair = (next + at + 1 < filled || fill()) && buffer[next + at + 1] == '\n';
                take(at, pair ? 2 : 1);
                nextLine++;
                return;
            } else if (b == framing.quote() && fieldBegins) {
                quoted = true;
            }
            // A second quote within quotes opens them again, so it needs no look ahead.
            fieldBegins = b == framing.delimiter() || b == framing.quote();
            at++;
        }
    }

    private void take(int size, int delimiter) {
        offset = next;
        length = size;
        next += size + delimiter;
    }

    private void match(Pattern pattern) throws IOException {
        while (true) {
            if (text == null) {
                text = new String(buffer, next, filled - next, StandardCharsets.ISO_8859_1);
                textAt = next;
            }
            Matcher matcher = pattern.matcher(text).region(next - textAt, text.length());
            boolean found = matcher.find();
            while (found && matcher.end() == matcher.start()) {
                found = matcher.find();
            }
            if (found && (ended || !matcher.hitEnd())) {
                int size = textAt + matcher.start() - next;
                int delimiter = matcher.end() - matcher.start();
                countLines(size + delimiter);
                take(size, delimiter);
                return;
            }
            boolean wasEnded = ended;
            text = null;
            if (!fill() && wasEnded) {
                countLines(filled - next);
                take(filled - next, 0);
                return;
            }
        }
    }

    private void countLines(int size) {
        for (int i = next; i < next + size; i++) {
            nextLine += buffer[i] == '\n' ? 1 : 0;
        }
    }
}
