package io.weir.ingest;

import static io.weir.ingest.IngestHouse.bytes;
import static io.weir.ingest.IngestHouse.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.row.Column;
import io.weir.ingest.record.ExtraColumns;
import io.weir.ingest.record.MissingColumns;
import io.weir.ingest.record.RecordWriter;
import io.weir.ingest.record.StrictDelimitedInputWriter;
import io.weir.ingest.record.StrictJsonWriter;
import io.weir.ingest.record.StrictRegexWriter;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What becomes of every kind of record: a row as it came, or an error that names the place. */
class RecordFormatTest extends HouseTest {
    private static final List<Column> COLUMNS = List.of(
            column("i", "integer", Types.IntegerType.get()),
            column("s", "text", Types.StringType.get()),
            column("d", "double precision", Types.DoubleType.get()));

    private static StrictDelimitedInputWriter.Builder csv() {
        return StrictDelimitedInputWriter.newBuilder().withFieldDelimiter(',');
    }

    /** Writes one record alone, into a table of an int, a text and a double. */
    private List<String> rowsOf(RecordWriter writer, byte[]... records) throws Exception {
        house.create("t", COLUMNS, "");
        try (StreamingConnection connection =
                house.to("t").withRecordWriter(writer).connect()) {
            connection.beginTransaction();
            for (byte[] record : records) {
                connection.write(record);
            }
            connection.commitTransaction();
        }
        return house.rows("t");
    }

    private List<String> rowsOf(RecordWriter writer, String... records) throws Exception {
        byte[][] all = new byte[records.length][];
        for (int i = 0; i < all.length; i++) {
            all[i] = bytes(records[i]);
        }
        return rowsOf(writer, all);
    }

    private List<String> rowsOfStream(RecordWriter writer, String stream) throws Exception {
        house.create("t", COLUMNS, "");
        try (StreamingConnection connection =
                house.to("t").withRecordWriter(writer).connect()) {
            connection.beginTransaction();
            connection.write(new ByteArrayInputStream(bytes(stream)));
            connection.commitTransaction();
        }
        return house.rows("t");
    }

    private void rejects(RecordWriter writer, String record, String message) {
        assertThatThrownBy(() -> rowsOf(writer, record))
                .isInstanceOf(SerializationError.class)
                .hasMessageStartingWith("Cannot take record 1: ")
                .hasMessageContaining(message);
        assertThat(house.rows("t")).isEmpty();
    }

    @Test
    void lineEndsOfEveryKindEndRecords() throws Exception {
        assertThat(rowsOfStream(csv().build(), "1,a,1\r\n2,b,2\n3,c,3\r4,d,4"))
                .containsExactly("1,a,1.0", "2,b,2.0", "3,c,3.0", "4,d,4.0");
    }

    @Test
    void quotesProtectDelimitersLineEndsAndQuotes() throws Exception {
        assertThat(rowsOfStream(csv().build(), "1,\"a,b\r\nc\"\"d\",1\n2,\"\",2\n3,q\"r,3\n"))
                .containsExactly("1,a,b\r\nc\"d,1.0", "2,,2.0", "3,q\"r,3.0");
    }

    @Test
    void withoutQuotesTheyAreData() throws Exception {
        assertThat(rowsOf(csv().withoutQuotes().build(), "1,\"x\",1"))
                .containsExactly("1,\"x\",1.0");
    }

    @Test
    void unbalancedQuotesAreRejected() {
        rejects(csv().build(), "1,\"x,1", "column s: the quotes are not closed");
        rejects(csv().build(), "1,\"x\"y,1", "column s: text follows the closing quotes");
    }

    @Test
    void aByteOrderMarkIsNoPartOfAStream() throws Exception {
        rejects(csv().build(), "\ufeff1,a,1", "column i: not a whole number");
        assertThat(rowsOfStream(csv().build(), "\ufeff1,a,1\n")).containsExactly("1,a,1.0");
    }

    @Test
    void invalidUtf8IsRejected() {
        byte[] record = {'1', ',', (byte) 0xff, (byte) 0xfe, ',', '1'};
        assertThatThrownBy(() -> rowsOf(csv().build(), record))
                .isInstanceOf(SerializationError.class)
                .hasMessageContaining("column s: not UTF-8");
    }

    @Test
    void missingColumnsAreRejectedUnlessAskedFor() throws Exception {
        rejects(csv().build(), "1,a", "fewer columns than the table has (columns=2, expected=3)");
        rejects(csv().build(), "", "column i: not a whole number");
        assertThat(rowsOf(csv().withMissingColumns(MissingColumns.NULL).build(), "1", "2,b"))
                .containsExactly("1,null,null", "2,b,null");
    }

    @Test
    void extraColumnsAreRejectedUnlessAskedFor() throws Exception {
        rejects(csv().build(), "1,a,1,x,y", "more columns than the table has (columns=3)");
        assertThat(rowsOf(csv().withExtraColumns(ExtraColumns.DROP).build(), "1,a,1,x,y"))
                .containsExactly("1,a,1.0");
    }

    @Test
    void numbersOutOfRangeAreRejected() {
        rejects(
                csv().build(),
                "2147483648,a,1",
                "column i: out of range of type int (value=2147483648)");
        rejects(csv().build(), "1,a,1e999", "column d: out of range of type double");
        rejects(csv().build(), "1.0,a,1", "column i: not a whole number");
        rejects(csv().build(), "1,a,0x1p3", "column d: not a number");
        rejects(csv().build(), ",a,1", "column i: not a whole number");
    }

    @Test
    void nullHasATextOfItsOwn() throws Exception {
        assertThat(rowsOf(csv().build(), "\\N,\\N,\\N", "1,\"\\N\",1"))
                .containsExactly("1,\\N,1.0", "null,null,null");
        assertThat(rowsOf(csv().withNullText("").build(), "2,,", "3,\"\",3"))
                .contains("2,null,null", "3,,3.0");
    }

    @Test
    void emptyLinesAreRejected() {
        assertThatThrownBy(() -> rowsOfStream(csv().build(), "1,a,1\n\n2,b,2\n"))
                .isInstanceOf(SerializationError.class)
                .hasMessageStartingWith("Cannot take record 2 in line 2: column i");
    }

    @Test
    void binaryIsNotChanged() throws Exception {
        house.create("b", List.of(column("x", "bytea", Types.BinaryType.get())), "");
        byte[] octets = {(byte) 0xff, (byte) 0xfe, 0, 1};
        try (StreamingConnection connection = house.to("b").connect()) {
            connection.beginTransaction();
            connection.write(octets);
            connection.write(new ByteArrayInputStream(octets));
            connection.commitTransaction();
        }

        assertThat(house.records("b"))
                .extracting(record -> record.get(0))
                .containsExactly(ByteBuffer.wrap(octets), ByteBuffer.wrap(octets));
    }

    @Test
    void aRegexHasToMatch() {
        RecordWriter writer =
                StrictRegexWriter.newBuilder().withRegex("(\\d+);(\\w*);(.*)").build();
        rejects(writer, "1,a,1", "the regex does not match");
        assertThatThrownBy(() ->
                        rowsOf(StrictRegexWriter.newBuilder().withRegex("(.*)").build(), "1"))
                .isInstanceOf(ConnectionError.class)
                .hasMessageContaining("groups=1, columns=3");
        assertThatThrownBy(() -> StrictRegexWriter.newBuilder().build())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void jsonIsWhatItSays() throws Exception {
        RecordWriter json = StrictJsonWriter.newBuilder().build();
        assertThat(rowsOf(
                        json,
                        "{\"i\":1,\"s\":\"Zo\\u00eb\",\"d\":1.5}",
                        "{\"d\":null,\"s\":\"\",\"I\":2}"))
                .containsExactly("1,Zoë,1.5", "2,,null");
    }

    @Test
    void jsonThatIsSomethingElseIsRejected() {
        RecordWriter json = StrictJsonWriter.newBuilder().build();
        rejects(
                json,
                "{\"i\":\"4\",\"s\":\"\",\"d\":1}",
                "column i: the JSON value is a text (value=4)");
        rejects(json, "{\"i\":9.7,\"s\":\"\",\"d\":1}", "column i: not a whole number (value=9.7)");
        rejects(json, "{\"i\":99999999999,\"s\":\"\",\"d\":1}", "column i: out of range");
        rejects(json, "{\"i\":1,\"s\":{\"a\":1},\"d\":1}", "column s: the JSON value is an object");
        rejects(json, "{\"i\":1,\"s\":\"\",\"d\":1} x", "not JSON: ");
        rejects(json, "{\"i\":1,\"s\":\"\",\"d\":1}{}", "something follows the JSON object");
        rejects(json, "{\"i\":1,\"s\":\"\"", "not JSON: ");
        rejects(json, "[1,2]", "not a JSON object");
        rejects(json, "", "not a JSON object");
        rejects(json, "{\"i\":1,\"i\":2,\"s\":\"\",\"d\":1}", "not JSON: Duplicate field 'i'");
        rejects(
                json,
                "{\"i\":1,\"I\":2,\"s\":\"\",\"d\":1}",
                "column I: the column is there twice");
        rejects(
                json,
                "{\"i\":1,\"s\":\"\",\"d\":1,\"z\":1}",
                "column z: the table has no such column");
        rejects(json, "{\"i\":1,\"s\":\"\"}", "column d: the record has no such member");
    }

    @Test
    void aRejectedRecordLeavesTheTransactionUsable() throws Exception {
        house.create("t", COLUMNS, "");
        try (StreamingConnection connection = house.to("t").connect()) {
            connection.beginTransaction();
            connection.write(bytes("1,a,1"));
            assertThatThrownBy(() -> connection.write(bytes("x,b,2")))
                    .isInstanceOfSatisfying(SerializationError.class, e -> {
                        assertThat(e.record().number()).isEqualTo(2);
                        assertThat(e.record().column()).isEqualTo("i");
                        assertThat(e.record().value()).isEqualTo("x");
                        assertThat(e.record().bytes()).isEqualTo(bytes("x,b,2"));
                        assertThat(e.isRetriable()).isFalse();
                    });
            connection.write(bytes("3,c,3"));
            connection.commitTransaction();
            assertThat(connection.getConnectionStats().getRecordsRejected()).isEqualTo(1);
        }

        assertThat(house.rows("t")).containsExactly("1,a,1.0", "3,c,3.0");
    }

    @Test
    void badValuesBecomeNullOnlyWhenAskedForAndAreCounted() throws Exception {
        house.create("t", COLUMNS, "");
        try (StreamingConnection connection =
                house.to("t").withRecordPolicy(RecordPolicy.nullValues()).connect()) {
            connection.beginTransaction();
            connection.write(bytes("abc,x,yz"));
            assertThatThrownBy(() -> connection.write(bytes("1")))
                    .isInstanceOf(SerializationError.class);
            connection.commitTransaction();
            assertThat(connection.getConnectionStats().getValuesNulled()).isEqualTo(2);
        }

        assertThat(house.rows("t")).containsExactly("null,x,null");
    }

    @Test
    void deadLettersKeepTheRecordAndItsPlace() throws Exception {
        house.create("t", COLUMNS, "");
        List<RejectedRecord> letters = new ArrayList<>();
        try (StreamingConnection connection = house.to("t")
                .withRecordPolicy(RecordPolicy.deadLetter(letters::add))
                .connect()) {
            connection.beginTransaction();
            long taken =
                    connection.write(new ByteArrayInputStream(bytes("1,\"a\nb\",1\nx,b,2\n3,c,3")));
            assertThat(taken).isEqualTo(2);
            connection.commitTransaction();
        }

        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.text())
                    .isEqualTo("Cannot take record 2 in line 3: column i: not a whole"
                            + " number (value=x)");
            assertThat(letter.bytes()).isEqualTo(bytes("x,b,2"));
        });
        assertThat(house.rows("t")).containsExactly("1,a\nb,1.0", "3,c,3.0");
    }
}
