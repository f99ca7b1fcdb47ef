package io.weir.ingest.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import io.weir.core.row.CanonicalType;
import io.weir.ingest.row.RecordException;
import io.weir.ingest.row.Row;

import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Records that are one JSON object each. Names of columns are found whatever their case. Numbers,
 * texts and truth values are what JSON says they are: {@code "4"} is no number.
 */
public final class StrictJsonWriter implements RecordWriter {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final MissingColumns missing;
    private final ExtraColumns extra;
    private final Framing framing;

    private StrictJsonWriter(Builder builder) {
        this.missing = builder.missing;
        this.extra = builder.extra;
        this.framing = builder.pattern == null ? Framing.lines() : Framing.pattern(builder.pattern);
    }

    public static Builder newBuilder() {
        return new Builder();
    }

    /** Settings; each has a default. */
    public static final class Builder {
        private MissingColumns missing = MissingColumns.REJECT;
        private ExtraColumns extra = ExtraColumns.REJECT;
        private @Nullable String pattern;

        private Builder() {}

        public Builder withMissingColumns(MissingColumns policy) {
            this.missing = policy;
            return this;
        }

        public Builder withExtraColumns(ExtraColumns policy) {
            this.extra = policy;
            return this;
        }

        /** What stands between the records of a stream; a line end else. */
        public Builder withLineDelimiterPattern(String regex) {
            this.pattern = regex;
            return this;
        }

        public StrictJsonWriter build() {
            return new StrictJsonWriter(this);
        }
    }

    @Override
    public Framing framing() {
        return framing;
    }

    @Override
    public Encoder encoder(RecordLayout layout) {
        return new Members(layout);
    }

    private final class Members implements Encoder {
        private final RecordLayout layout;
        private final Map<String, Integer> positions = new HashMap<>();
        private final ValueReader[] readers;
        private final boolean[] seen;

        Members(RecordLayout layout) {
            this.layout = layout;
            int count = layout.slots().size();
            this.readers = new ValueReader[count];
            this.seen = new boolean[count];
            for (int i = 0; i < count; i++) {
                readers[i] = new ValueReader(layout.slots().get(i), layout.column(i));
                String name = layout.column(i).name().toLowerCase(Locale.ROOT);
                if (positions.put(name, i) != null) {
                    throw new IllegalArgumentException(
                            "two columns differ only in the case of their name (column=" + name
                                    + ")");
                }
            }
        }

        @Override
        public void encode(byte[] record, int offset, int length, Row row) throws RecordException {
            Arrays.fill(seen, false);
            try (JsonParser parser = JSON.createParser(record, offset, length)) {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw new RecordException("not a JSON object");
                }
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    member(parser, record, offset, row);
                }
                if (parser.nextToken() != null) {
                    throw new RecordException("something follows the JSON object");
                }
            } catch (JsonProcessingException e) {
                throw new RecordException("not JSON: " + e.getOriginalMessage());
            } catch (IOException e) {
                throw new RecordException("not JSON: " + e.getMessage());
            }
            for (int i = 0; i < seen.length; i++) {
                if (!seen[i]) {
                    absent(i, row);
                }
            }
        }

        private void absent(int position, Row row) throws RecordException {
            if (missing == MissingColumns.REJECT && !layout.isPartition(position)) {
                throw new RecordException(
                        layout.column(position).name(), null, "the record has no such member");
            }
            row.setNull(layout.slots().get(position));
        }

        private void member(JsonParser parser, byte[] record, int offset, Row row)
                throws IOException, RecordException {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            Integer position = positions.get(name.toLowerCase(Locale.ROOT));
            if (position == null) {
                if (extra == ExtraColumns.REJECT) {
                    throw new RecordException(name, null, "the table has no such column");
                }
                parser.skipChildren();
                return;
            }
            if (seen[position]) {
                throw new RecordException(name, null, "the column is there twice");
            }
            seen[position] = true;
            int slot = layout.slots().get(position);
            Type.TypeID type = layout.column(position).type().typeId();
            if (token == JsonToken.VALUE_NULL) {
                row.setNull(slot);
                return;
            }
            if (layout.column(position).canonicalType() == CanonicalType.JSON) {
                document(parser, record, offset, readers[position], row);
                return;
            }
            byte[] text = token.isScalarValue()
                    ? parser.getText().getBytes(StandardCharsets.UTF_8)
                    : token.asString().getBytes(StandardCharsets.UTF_8);
            if (text.length == 0 && layout.isPartition(position)) {
                row.setNull(slot);
            } else if (!fits(token, type)) {
                parser.skipChildren();
                row.setInvalid(slot, text, 0, text.length, "the JSON value is " + kind(token));
            } else if (type == Type.TypeID.BINARY || type == Type.TypeID.FIXED) {
                octets(slot, text, readers[position], row);
            } else {
                readers[position].read(text, 0, text.length, row);
            }
        }
    }

    /** The member's value as it stands in the record, whatever kind of value it is. */
    private static void document(
            JsonParser parser, byte[] record, int offset, ValueReader reader, Row row)
            throws IOException, RecordException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        int end = (int) parser.currentLocation().getByteOffset();
        reader.read(record, offset + from, end - from, row);
    }

    private static void octets(int slot, byte[] text, ValueReader reader, Row row)
            throws RecordException {
        byte[] octets;
        try {
            octets = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            row.setInvalid(slot, text, 0, text.length, "not Base64");
            return;
        }
        reader.read(octets, 0, octets.length, row);
    }

    private static boolean fits(JsonToken token, Type.TypeID type) {
        return switch (type) {
            case BOOLEAN -> token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE;
            case INTEGER, LONG, FLOAT, DOUBLE, DECIMAL -> token.isNumeric();
            default -> token == JsonToken.VALUE_STRING;
        };
    }

    private static String kind(JsonToken token) {
        return switch (token) {
            case VALUE_STRING -> "a text";
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_TRUE, VALUE_FALSE -> "a truth value";
            default -> "a number";
        };
    }
}
