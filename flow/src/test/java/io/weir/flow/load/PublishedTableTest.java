package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.PublishMode;
import io.weir.core.run.RunState;
import io.weir.table.LocalFileIO;

import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * A witness who is not us: Iceberg's own generic reader finds the table by the catalog and reads
 * every value; PostgreSQL's text of the same value, as its own output functions print it, decides.
 */
class PublishedTableTest {
    private static final String[] COLUMNS = {
        "id", "small", "big", "real4", "real8", "exact", "wide", "yes", "words", "short_words",
        "padded", "bytes", "day", "clock", "stamp", "stamptz", "uid", "doc", "docb", "mood"
    };

    @TempDir
    Path directory;

    @Test
    void genericReaderSeesEveryValueOfTheSource() throws Exception {
        try (LoadHouse house = new LoadHouse(directory)) {
            house.shop.execute(
                    "create type mood as enum ('glad', 'traurig', '悲しい')",
                    """
                    create table every_type (
                        id integer primary key, small smallint, big bigint, real4 real,
                        real8 double precision, exact numeric(12, 3), wide numeric(38, 10),
                        yes boolean, words text, short_words varchar(40), padded char(6),
                        bytes bytea, day date, clock time, stamp timestamp,
                        stamptz timestamptz, uid uuid, doc json, docb jsonb, mood mood)
                    """,
                    """
                    insert into every_type
                    select n, n % 32768, n * 900719925474099, (n / 7.0)::real, n / 3.0,
                        n * 1.125, n * 12345678901234567.0123456789, n % 2 = 0,
                        'ключ ' || n || E'\\r\\n\\t🦆', 'short ' || n, 'p' || n,
                        decode(md5(n::text), 'hex'), date '0001-01-01' + n * 1825,
                        time '00:00' + n * interval '1.000001 second',
                        timestamp '1582-10-01 12:00' + n * interval '40 days 1.000001 second',
                        timestamptz '1900-01-01 00:00+00' + n * interval '30 days 0.999999 second',
                        md5(n::text)::uuid, ('{"a":  ' || n || '}')::json,
                        jsonb_build_object('b', n, 'ü', null), 'traurig'
                    from generate_series(1, 2000) as n
                    """,
                    "insert into every_type (id) values (0)");

            assertThat(house.load(LoadHouse.job("every_type", PublishMode.REPLACE), "monday")
                            .run()
                            .state())
                    .isEqualTo(RunState.SUCCESS);

            assertThat(published(house)).isEqualTo(source(house));
        }
    }

    private static Map<String, String> source(LoadHouse house) throws Exception {
        Map<String, String> rows = new TreeMap<>();
        try (Connection connection = house.shop.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set timezone to 'UTC'");
            statement.execute("set bytea_output to hex");
            try (ResultSet result = statement.executeQuery("select * from every_type")) {
                while (result.next()) {
                    StringBuilder row = new StringBuilder();
                    for (String column : COLUMNS) {
                        row.append('|').append(result.getString(column));
                    }
                    rows.put(result.getString("id"), row.toString());
                }
            }
        }
        return rows;
    }

    private Map<String, String> published(LoadHouse house) throws Exception {
        Map<String, String> rows = new TreeMap<>();
        try (JdbcCatalog catalog = new JdbcCatalog()) {
            catalog.initialize(
                    "weir",
                    Map.of(
                            "uri", house.books.url() + "?currentSchema=weir_catalog",
                            "jdbc.user", house.books.user(),
                            "jdbc.password", house.books.password(),
                            "jdbc.schema-version", "V1",
                            "warehouse", LocalFileIO.locationOf(directory.resolve("lake")),
                            "io-impl", LocalFileIO.class.getName()));
            Table table =
                    catalog.loadTable(TableIdentifier.of(Namespace.of("sales"), "every_type"));
            try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
                for (Record record : records) {
                    StringBuilder row = new StringBuilder();
                    for (String column : COLUMNS) {
                        row.append('|').append(text(column, record.getField(column)));
                    }
                    rows.put(record.getField("id").toString(), row.toString());
                }
            }
        }
        return rows;
    }

    /** The value as PostgreSQL prints it. */
    private static String text(String column, Object value) {
        if (value == null) {
            return "null";
        }
        return switch (column) {
            case "yes" -> (Boolean) value ? "t" : "f";
            case "real4", "real8" -> value.toString().replaceAll("\\.0$", "");
            case "bytes" -> {
                ByteBuffer buffer = ((ByteBuffer) value).duplicate();
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                yield "\\x" + HexFormat.of().formatHex(bytes);
            }
            case "clock" -> trimmed(value.toString());
            case "stamp" -> trimmed(value.toString().replace('T', ' '));
            case "stamptz" ->
                trimmed(((OffsetDateTime) value)
                                .withOffsetSameInstant(ZoneOffset.UTC)
                                .toLocalDateTime()
                                .toString()
                                .replace('T', ' '))
                        + "+00";
            default -> value.toString();
        };
    }

    /** Java prints no seconds where they are zero, and fractions in threes. */
    private static String trimmed(String text) {
        String full = text.matches(".*\\d{2}:\\d{2}") && text.split(":").length == 2
                ? text + ":00"
                : text;
        return full.contains(".") ? full.replaceAll("0+$", "").replaceAll("\\.$", "") : full;
    }
}
