package io.weir.ingest;

import static io.weir.ingest.IngestHouse.column;
import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.ingest.record.StrictJsonWriter;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Documents in a column are kept as they came. */
class JsonColumnTest extends HouseTest {
    private void table(String sourceType) {
        house.create(
                "docs",
                List.of(
                        column("id", "integer", Types.IntegerType.get()),
                        column("body", sourceType, Types.StringType.get())),
                "");
    }

    private StreamingConnection json() throws StreamingException {
        return house.to("docs")
                .withRecordWriter(StrictJsonWriter.newBuilder().build())
                .connect();
    }

    @Test
    void anyJsonValueOfARecordIsKeptAsItStandsThere() throws Exception {
        table("json");
        try (StreamingConnection connection = json()) {
            transaction(
                    connection,
                    "{\"id\":1,\"body\": {\"b\" : [1, 2.50],\"a\":\"\\u00e9ü\"} }",
                    "{\"body\":[ ],\"id\":2}",
                    "{\"id\":3,\"body\":\"te\\\"xt\"}",
                    "{\"id\":4,\"body\":-1.50e3}",
                    "{\"id\":5,\"body\":true}",
                    "{\"id\":6,\"body\":null}");
            connection.beginTransaction();
            byte[] framed = IngestHouse.bytes("xx{\"id\":7,\"body\":12}yy");
            connection.write(framed, 2, framed.length - 4);
            connection.commitTransaction();
        }

        assertThat(house.rows("docs"))
                .containsExactly(
                        "1,{\"b\" : [1, 2.50],\"a\":\"\\u00e9ü\"}",
                        "2,[ ]",
                        "3,\"te\\\"xt\"",
                        "4,-1.50e3",
                        "5,true",
                        "6,null",
                        "7,12");
    }

    @Test
    void aDelimitedValueIsOneDocumentOrRejected() throws Exception {
        table("json");
        try (StreamingConnection connection = house.to("docs").connect()) {
            connection.beginTransaction();
            write(connection, "1,\"{\"\"a\"\":[1,2]}\"", "2,7");
            for (String bad : List.of("{", "a", "1 2", "", "\"{\"\"a\"\":1,}\"")) {
                assertThatThrownBy(() -> write(connection, "3," + bad))
                        .isInstanceOf(SerializationError.class)
                        .hasMessageContaining("not one JSON value");
            }
            connection.commitTransaction();
        }

        assertThat(house.rows("docs")).containsExactly("1,{\"a\":[1,2]}", "2,7");
    }

    @Test
    void nothingCanBePrintedAsPostgresDoes() {
        table("jsonb");

        assertThatThrownBy(this::json)
                .isInstanceOf(ConnectionError.class)
                .hasMessageContaining("column body: it holds jsonb as PostgreSQL prints it");
    }
}
