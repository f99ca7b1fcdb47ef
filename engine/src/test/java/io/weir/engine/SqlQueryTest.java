package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

@SuppressWarnings("NullAway.Init")
class SqlQueryTest {
    private static final RowSchema ORDERS = new RowSchema(
            List.of(
                    EveryType.column(1, "id", "bigint", Types.LongType.get()),
                    EveryType.column(2, "Größe", "text", Types.StringType.get()),
                    EveryType.column(3, "at", "timestamptz", Types.TimestampType.withZone())),
            List.of("id"));

    @TempDir
    static Path directory;

    private static EngineFixture fixture;
    private static Path file;
    private static Map<String, QueryTable> tables;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory.resolve("spill"));
        file = directory.resolve("orders[1].parquet");
        fixture.write(
                ORDERS,
                List.of(
                        Arrays.asList(1L, "klein", 0L),
                        Arrays.asList(2L, null, 1_764_460_799_000_001L)),
                file);
        tables = Map.of(
                "sales.orders", QueryTable.of(ORDERS, List.of(file)),
                "sales.none", QueryTable.of(ORDERS, List.of()),
                "every thing", QueryTable.of(EveryType.SCHEMA, List.of()));
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static QueryResult query(String sql) {
        return fixture.engine.query(sql, tables);
    }

    @Test
    void answersWithNamesTypesAndText() {
        QueryResult result = query("select *, id / 2 as id from sales.orders order by 1; -- all");

        assertThat(result.columns()).containsExactly("id", "Größe", "at", "id");
        assertThat(result.types())
                .containsExactly("BIGINT", "VARCHAR", "TIMESTAMP WITH TIME ZONE", "DOUBLE");
        assertThat(result.rows())
                .containsExactly(
                        Arrays.asList("1", "klein", "1970-01-01 00:00:00+00", "0.5"),
                        Arrays.asList("2", null, "2025-11-29 23:59:59.000001+00", "1.0"));
        assertThat(result.truncated()).isFalse();
    }

    @Test
    void commentsAndSemicolonsAtTheEndDoNotMatter() {
        assertThat(query("select 1 -- one").rows()).containsExactly(List.of("1"));
        assertThat(query("select 1 /* one */ ; /* ; */ ;;\n-- 'done\n").rows())
                .containsExactly(List.of("1"));
        assertThat(query("select '; -- x'").rows()).containsExactly(List.of("; -- x"));
    }

    @Test
    void emptyTableHasItsColumnsAndTypes() {
        assertThat(query("select * from sales.none").columns())
                .containsExactly("id", "Größe", "at");
        assertThat(query("from \"every thing\"").types())
                .containsExactly(
                        "BIGINT",
                        "INTEGER",
                        "BOOLEAN",
                        "FLOAT",
                        "DOUBLE",
                        "DECIMAL(9,2)",
                        "DECIMAL(18,4)",
                        "DECIMAL(38,10)",
                        "VARCHAR",
                        "VARCHAR",
                        "VARCHAR",
                        "BLOB",
                        "DATE",
                        "TIME",
                        "TIMESTAMP",
                        "TIMESTAMP WITH TIME ZONE",
                        "UUID");
        assertThat(query("select count(*) from sales.none").rows()).containsExactly(List.of("0"));
    }

    @Test
    void columnsAreFoundByFieldId() {
        RowSchema renamed = new RowSchema(
                List.of(
                        EveryType.column(9, "new", "text", Types.StringType.get()),
                        EveryType.column(2, "id", "text", Types.StringType.get()),
                        EveryType.column(1, "Größe", "bigint", Types.LongType.get())),
                List.of());

        QueryResult result = fixture.engine.query(
                "select * from t order by 3", Map.of("t", QueryTable.of(renamed, List.of(file))));

        assertThat(result.rows())
                .containsExactly(Arrays.asList(null, "klein", "1"), Arrays.asList(null, null, "2"));
    }

    @Test
    void keepsTheOrderOfTheQueryAndStopsAtTheLimit() {
        QueryResult result = query("select i from range(30000) t(i) order by i desc");

        assertThat(result.truncated()).isTrue();
        assertThat(result.rows()).hasSize(Engine.QUERY_ROWS_MAX);
        assertThat(result.rows().get(0)).containsExactly("29999");
        assertThat(result.rows().get(Engine.QUERY_ROWS_MAX - 1)).containsExactly("20000");
    }

    @Test
    void showsDescribesAndExplains() {
        assertThat(query("show all tables").rows())
                .extracting(row -> row.get(1) + "." + row.get(2))
                .containsExactlyInAnyOrder("main.every thing", "sales.none", "sales.orders");
        assertThat(query("describe sales.orders").rows())
                .extracting(row -> row.get(0) + " " + row.get(1))
                .containsExactly("id BIGINT", "Größe VARCHAR", "at TIMESTAMP WITH TIME ZONE");
        assertThat(query("summarize sales.orders").rows()).hasSize(3);
        assertThat(query("with x as (select 1 as one) from x").rows())
                .containsExactly(List.of("1"));
        assertThat(query("EXPLAIN select count(*) from sales.orders").rows().toString())
                .contains("READ_PARQUET");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create table t (i int)",
                "drop view sales.orders",
                "copy sales.orders to 'stolen.csv'",
                "attach 'other.db'",
                "install httpfs",
                "load httpfs",
                "pragma threads=1",
                "set threads = 1",
                "call pragma_version()",
                "select 1; select 2",
                "select 1; drop view sales.orders",
                "explain analyze create table t (i int)",
                "",
                ";"
            })
    void refusesWhatIsNotOneQuery(String sql) {
        assertThatThrownBy(() -> query(sql))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_INVALID))
                .hasMessage("Cannot run the query: only one SELECT, WITH, VALUES, SHOW, DESCRIBE,"
                        + " SUMMARIZE or EXPLAIN is allowed");
    }

    @Test
    void readsNoFileThatIsNotOfATable() throws java.io.IOException {
        Path other = Files.writeString(directory.resolve("other.csv"), "secret\n1\n");

        assertThatThrownBy(() -> query("select * from " + DuckdbSql.path(other)))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_INVALID))
                .hasMessageStartingWith("Cannot run the query: Permission Error");
        assertThatThrownBy(() -> query("from glob('/etc/*')"))
                .hasMessageStartingWith("Cannot run the query: Permission Error");
    }

    @Test
    void saysWhatIsWrongInTheWordsOfTheEngine() {
        assertThatThrownBy(() -> query("selec 1"))
                .hasMessage("Cannot run the query: syntax error at or near \"selec\"");
        assertThatThrownBy(() -> query("select i_d from sales.orders"))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_INVALID))
                .hasMessageStartingWith("Cannot run the query: Binder Error: ")
                .hasMessageContaining("i_d")
                .hasMessageContaining("LINE 1: select i_d from sales.orders");
        assertThatThrownBy(() -> query("select error('boom')"))
                .hasMessage("Cannot run the query: Invalid Input Error: boom");
    }
}
