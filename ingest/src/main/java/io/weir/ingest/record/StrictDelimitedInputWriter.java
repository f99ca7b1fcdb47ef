package io.weir.ingest.record;

import io.weir.ingest.row.RecordException;
import io.weir.ingest.row.Row;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Records of fields with a delimiter between them: CSV as RFC 4180 has it if the delimiter is a
 * comma. A quoted field may hold delimiters, line ends and doubled quotes, and is never NULL.
 */
public final class StrictDelimitedInputWriter implements RecordWriter {
    private final byte delimiter;
    private final int quote;
    private final byte[] nullText;
    private final MissingColumns missing;
    private final ExtraColumns extra;
    private final Framing framing;

    private StrictDelimitedInputWriter(Builder builder) {
        this.delimiter = builder.delimiter;
        this.quote = builder.quote;
        this.nullText = builder.nullText.getBytes(StandardCharsets.UTF_8);
        this.missing = builder.missing;
        this.extra = builder.extra;
        this.framing = builder.framing();
    }

    public static Builder newBuilder() {
        return new Builder();
    }

    /** Settings; each has a default. */
    public static final class Builder {
        private byte delimiter = 1;
        private int quote = '"';
        private String nullText = "\\N";
        private MissingColumns missing = MissingColumns.REJECT;
        private ExtraColumns extra = ExtraColumns.REJECT;
        private @Nullable String pattern;

        private Builder() {}

        /**
         * Between fields; U+0001 by default, as in Hive.
         *
         * @throws IllegalArgumentException if it is not ASCII or ends lines
         */
        public Builder withFieldDelimiter(char character) {
            this.delimiter = ascii(character);
            return this;
        }

        /** Around fields that hold delimiters; {@code "} by default. */
        public Builder withQuote(char character) {
            this.quote = ascii(character);
            return this;
        }

        /** Quotes are data, as in Hive. */
        public Builder withoutQuotes() {
            this.quote = -1;
            return this;
        }

        /** The text of NULL when it is not quoted; {@code \N} by default. */
        public Builder withNullText(String text) {
            this.nullText = text;
            return this;
        }

        public Builder withMissingColumns(MissingColumns policy) {
            this.missing = policy;
            return this;
        }

        public Builder withExtraColumns(ExtraColumns policy) {
            this.extra = policy;
            return this;
        }

        /** What stands between the records of a stream; a line end that is not in quotes else. */
        public Builder withLineDelimiterPattern(String regex) {
            this.pattern = regex;
            return this;
        }

        public StrictDelimitedInputWriter build() {
            if (quote == delimiter) {
                throw new IllegalArgumentException("Invalid quote: it is the field delimiter");
            }
            return new StrictDelimitedInputWriter(this);
        }

        private Framing framing() {
            if (pattern != null) {
                return Framing.pattern(pattern);
            }
            return quote < 0 ? Framing.lines() : Framing.quotedLines(delimiter, (byte) quote);
        }

        private static byte ascii(char character) {
            if (character > 0x7f || character == '\n' || character == '\r') {
                throw new IllegalArgumentException("Invalid delimiter or quote U+"
                        + Integer.toHexString(character) + ": ASCII, no line end");
            }
            return (byte) character;
        }
    }

    @Override
    public Framing framing() {
        return framing;
    }

    @Override
    public Encoder encoder(RecordLayout layout) {
        return new Fields(layout);
    }

    private final class Fields implements Encoder {
        private final RecordLayout layout;
        private final int[] slots;
        private final ValueReader[] readers;
        private int end;
        private int at;

        Fields(RecordLayout layout) {
            this.layout = layout;
            this.slots = layout.slots().stream().mapToInt(Integer::intValue).toArray();
            this.readers = new ValueReader[slots.length];
            for (int i = 0; i < slots.length; i++) {
                readers[i] = new ValueReader(slots[i], layout.column(i));
            }
        }

        @Override
        public void encode(byte[] b, int offset, int length, Row row) throws RecordException {
            end = offset + length;
            at = offset;
            boolean more = true;
            for (int i = 0; i < slots.length; i++) {
                if (!more) {
                    missing(i, row);
                    return;
                }
                if (at < end && b[at] == quote) {
                    quoted(b, i, row);
                } else {
                    plain(b, i, row);
                }
                more = at < end;
                at++;
            }
            if (more && extra == ExtraColumns.REJECT) {
                throw new RecordException(
                        "more columns than the table has (columns=" + slots.length + ")");
            }
        }

        private void missing(int from, Row row) throws RecordException {
            if (missing == MissingColumns.REJECT) {
                throw new RecordException("fewer columns than the table has (columns=" + from
                        + ", expected=" + slots.length + ")");
            }
            for (int i = from; i < slots.length; i++) {
                row.setNull(slots[i]);
            }
        }

        private void plain(byte[] b, int position, Row row) throws RecordException {
            int from = at;
            int to = ByteSearch.find(delimiter, b, from, end);
            at = to;
            if (isNull(b, from, to) || (from == to && layout.isPartition(position))) {
                row.setNull(slots[position]);
            } else {
                readers[position].read(b, from, to - from, row);
            }
        }

        private boolean isNull(byte[] b, int from, int to) {
            return to - from == nullText.length
                    && Arrays.equals(b, from, to, nullText, 0, nullText.length);
        }

        private void quoted(byte[] b, int position, Row row) throws RecordException {
            int from = at + 1;
            int to = from;
            int doubled = 0;
            while (true) {
                to = ByteSearch.find((byte) quote, b, to, end);
                if (to == end) {
                    throw new RecordException(
                            layout.column(position).name(), null, "the quotes are not closed");
                }
                if (to + 1 == end || b[to + 1] != quote) {
                    break;
                }
                doubled++;
                to += 2;
            }
            at = to + 1;
            if (at < end && b[at] != delimiter) {
                throw new RecordException(
                        layout.column(position).name(), null, "text follows the closing quotes");
            }
            if (doubled == 0) {
                readers[position].read(b, from, to - from, row);
            } else {
                unquoted(b, from, to, to - from - doubled, readers[position], row);
            }
        }

        private void unquoted(byte[] b, int from, int to, int size, ValueReader reader, Row row)
                throws RecordException {
            byte[] scratch = row.scratch(size);
            int start = row.takeScratch(size);
            int into = start;
            for (int i = from; i < to; i++) {
                scratch[into++] = b[i];
                i += b[i] == quote ? 1 : 0;
            }
            reader.read(scratch, start, size, row);
        }
    }
}
