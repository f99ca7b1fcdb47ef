package io.weir.ingest.record;

import io.weir.ingest.row.RecordException;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Records that a pattern takes apart: each group is a column. A group that is absent is NULL. */
public final class StrictRegexWriter implements RecordWriter {
    private final Pattern regex;
    private final Framing framing;

    private StrictRegexWriter(Pattern regex, Framing framing) {
        this.regex = regex;
        this.framing = framing;
    }

    public static Builder newBuilder() {
        return new Builder();
    }

    /** Settings; the pattern has no default. */
    public static final class Builder {
        private @Nullable String regex;
        private @Nullable String pattern;

        private Builder() {}

        /** Has to match a whole record; one group for each column. */
        public Builder withRegex(String text) {
            this.regex = text;
            return this;
        }

        /** What stands between the records of a stream; a line end else. */
        public Builder withLineDelimiterPattern(String text) {
            this.pattern = text;
            return this;
        }

        /**
         * The format.
         *
         * @throws IllegalArgumentException if there is no regex or it is no pattern
         */
        public StrictRegexWriter build() {
            if (regex == null) {
                throw new IllegalArgumentException("Invalid regex writer: it has no regex");
            }
            return new StrictRegexWriter(
                    Pattern.compile(regex, Pattern.DOTALL),
                    pattern == null ? Framing.lines() : Framing.pattern(pattern));
        }
    }

    @Override
    public Framing framing() {
        return framing;
    }

    @Override
    public Encoder encoder(RecordLayout layout) {
        int groups = regex.matcher("").groupCount();
        if (groups != layout.slots().size()) {
            throw new IllegalArgumentException(
                    "the regex has other groups than a record has columns" + " (groups=" + groups
                            + ", columns=" + layout.slots().size() + ")");
        }
        ValueReader[] readers = new ValueReader[groups];
        for (int i = 0; i < groups; i++) {
            readers[i] = new ValueReader(layout.slots().get(i), layout.column(i));
        }
        return (record, offset, length, row) -> {
            Matcher matcher = regex.matcher(text(record, offset, length));
            if (!matcher.matches()) {
                throw new RecordException("the regex does not match");
            }
            for (int i = 0; i < groups; i++) {
                String group = matcher.group(i + 1);
                boolean isNull = group == null || (group.isEmpty() && layout.isPartition(i));
                if (isNull) {
                    row.setNull(layout.slots().get(i));
                } else {
                    byte[] bytes = group.getBytes(StandardCharsets.UTF_8);
                    readers[i].read(bytes, 0, bytes.length, row);
                }
            }
        };
    }

    private static String text(byte[] record, int offset, int length) throws RecordException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(record, offset, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new RecordException("not UTF-8");
        }
    }
}
