package io.weir.ingest;

import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.iceberg.TableProperties;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/** The table changes while a connection is open. */
class SchemaEvolutionTest extends HouseTest {
    @Test
    void aNewColumnIsThereFromTheNextTransactionOn() throws Exception {
        house.plain();
        try (StreamingConnection connection =
                house.to("plain").withTransactionBatchSize(4).connect()) {
            transaction(connection, "1,a");
            connection.beginTransaction();
            house.table("plain")
                    .updateSchema()
                    .addColumn("more", Types.LongType.get())
                    .commit();
            write(connection, "2,b");
            connection.commitTransaction();
            transaction(connection, "3,c,33");
            transaction(connection, "4,d,44");
        }

        assertThat(house.rows("plain")).containsExactly("1,a,null", "2,b,null", "3,c,33", "4,d,44");
        assertThat(house.balance("plain").rows()).isEqualTo(4);
    }

    @Test
    void aColumnWithAnInitialDefaultRefusesWhatBeginsAfterIt() throws Exception {
        house.plain();
        house.table("plain")
                .updateProperties()
                .set(TableProperties.FORMAT_VERSION, "3")
                .commit();
        try (StreamingConnection connection = house.to("plain").connect()) {
            connection.beginTransaction();
            write(connection, "1,a");
            house.table("plain")
                    .updateSchema()
                    .addColumn("more", Types.LongType.get(), "", Literal.of(7L))
                    .commit();
            connection.commitTransaction();
            assertThatThrownBy(connection::beginTransaction)
                    .isInstanceOf(InvalidTable.class)
                    .hasMessageContaining("column more has an initial default (7)");
        }
        assertThatThrownBy(() -> house.to("plain").connect())
                .isInstanceOf(InvalidTable.class)
                .hasMessageContaining("column more has an initial default (7)");

        assertThat(house.rows("plain")).containsExactly("1,a,7");
        assertThat(house.balance("plain")).isEqualTo(house.measured("plain"));
    }

    @Test
    void aDroppedColumnRefusesTheOpenTransactionAndNotTheNext() throws Exception {
        house.plain();
        try (StreamingConnection connection = house.to("plain").connect()) {
            connection.beginTransaction();
            write(connection, "1,a");
            house.table("plain").updateSchema().deleteColumn("msg").commit();
            assertThatThrownBy(connection::commitTransaction)
                    .isInstanceOf(InvalidTable.class)
                    .hasMessageContaining("column msg was dropped");
            transaction(connection, "2");
        }

        assertThat(house.rows("plain")).containsExactly("2");
    }

    @Test
    void aRenamedColumnStaysWhatItWas() throws Exception {
        house.plain();
        try (StreamingConnection connection = house.to("plain").connect()) {
            connection.beginTransaction();
            write(connection, "1,a");
            house.table("plain").updateSchema().renameColumn("msg", "text").commit();
            connection.commitTransaction();
        }

        assertThat(house.rows("plain")).containsExactly("1,a");
    }

    @Test
    void anotherWriterOfRowsStopsTheConnection() throws Exception {
        house.plain();
        try (StreamingConnection connection = house.to("plain").connect()) {
            transaction(connection, "1,a");
            var file = house.tasks("plain").get(0).file();
            house.table("plain").newDelete().deleteFile(file).commit();
            connection.beginTransaction();
            write(connection, "2,b");
            assertThatThrownBy(connection::commitTransaction)
                    .isInstanceOf(InvalidTable.class)
                    .hasMessageContaining("another writer made a snapshot");
        }
    }
}
