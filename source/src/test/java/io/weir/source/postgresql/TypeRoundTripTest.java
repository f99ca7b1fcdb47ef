package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.source.SourceSnapshot;
import io.weir.source.TableSpec;

import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Each type is written by the server and must arrive as the Java value that it stands for. */
class TypeRoundTripTest {
    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final Shop SHOP = new Shop();

    @BeforeAll
    static void createTypes() {
        SHOP.database.execute(
                "create type mood as enum ('sad', 'ok', 'überglücklich', 'it''s')",
                "create domain money_amount as numeric(12,2) check (value >= 0)",
                "create domain price as money_amount",
                "create domain code as character(5)");
    }

    static List<TypeCases.Case> types() {
        return TypeCases.all();
    }

    @ParameterizedTest
    @MethodSource("types")
    void readsTheValueThatWasWritten(TypeCases.Case type) {
        String table = "t" + TABLES.incrementAndGet();
        SHOP.database.execute(
                "create table " + table + " (n serial primary key, v " + type.declared() + ")");
        for (String value : type.sql()) {
            SHOP.database.execute("insert into " + table + " (v) values (" + value + ")");
        }
        SHOP.database.execute("insert into " + table + " (v) values (null)");
        TableSpec spec = TableSpec.of(table);

        Shop.Contents contents = SHOP.read(spec);

        List<@Nullable Object> values = contents.column(1);
        assertThat(values.get(values.size() - 1)).isNull();
        assertThat(values.subList(0, values.size() - 1).stream().map(TypeRoundTripTest::comparable))
                .containsExactlyElementsOf(type.java());
        try (SourceSnapshot snapshot = SHOP.snapshot(spec)) {
            assertThat(snapshot.table(spec).columns().get(1).withSourceMark(null))
                    .isEqualTo(new Column(
                            2, "v", type.sourceType(), type.type(), false, LossPolicy.FAIL));
        }
    }

    private static @Nullable Object comparable(@Nullable Object value) {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
    }

    @Test
    void onlyFixedWidthTextIsPadded() {
        SHOP.database.execute(
                "create table padding (a character(5), b bpchar, c code, d varchar(5),"
                        + " e \"char\")");
        TableSpec spec = TableSpec.of("padding");
        try (SourceSnapshot snapshot = SHOP.snapshot(spec)) {
            assertThat(snapshot.table(spec).columns().stream().map(Column::canonicalType))
                    .containsExactly(
                            CanonicalType.PADDED_TEXT,
                            CanonicalType.PADDED_TEXT,
                            CanonicalType.PADDED_TEXT,
                            CanonicalType.TEXT,
                            CanonicalType.TEXT);
        }
    }

    @Test
    void uuidIsMarkedForTheCDataInterface() {
        Field field = ArrowColumns.field(
                new Column(1, "id", "uuid", Types.UUIDType.get(), true, LossPolicy.FAIL));
        assertThat(field.getMetadata())
                .containsEntry("ARROW:extension:name", "arrow.uuid")
                .containsEntry("ARROW:extension:metadata", "");
        assertThat(field.isNullable()).isFalse();
    }

    @Test
    void readsRandomDecimalsExactly() {
        Random random = new Random(20261129);
        StringBuilder sql = new StringBuilder("insert into decimals select * from (values ");
        List<BigDecimal> expected = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            BigInteger unscaled = new BigInteger(random.nextInt(126), random);
            BigDecimal value =
                    new BigDecimal(random.nextBoolean() ? unscaled.negate() : unscaled, 17);
            if (value.precision() > 38) {
                continue;
            }
            expected.add(value);
            sql.append(i == 0 ? "" : ",")
                    .append("(")
                    .append(value.toPlainString())
                    .append(")");
        }
        SHOP.database.execute("create table decimals (v numeric(38,17))", sql + ") v");

        assertThat(SHOP.read(TableSpec.of("decimals")).column(0)).isEqualTo(expected);
    }
}
