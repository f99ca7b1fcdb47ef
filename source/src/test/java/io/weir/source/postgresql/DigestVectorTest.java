package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.Balance;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.Column;
import io.weir.core.row.RowDigest;
import io.weir.core.row.RowSchema;
import io.weir.core.run.KeyRange;
import io.weir.source.PartitionRows;
import io.weir.source.SourceSnapshot;
import io.weir.source.TableSpec;
import io.weir.testkit.digest.DigestVector;
import io.weir.testkit.digest.DigestVectors;
import io.weir.testkit.digest.VectorField;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The wire encoder against the vectors that every encoder has to meet. */
class DigestVectorTest {
    private static final Shop SHOP = new Shop();

    @BeforeAll
    static void createTypes() {
        SHOP.database.execute("create type mood as enum ('sad', 'ok', 'happy')");
    }

    static List<DigestVector> vectors() {
        return DigestVectors.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void digestsWireBytes(DigestVector vector) {
        CanonicalRow row = new CanonicalRow();
        List<VectorField> ordered = vector.fields().stream()
                .sorted(Comparator.comparingInt(VectorField::fieldId))
                .toList();
        for (VectorField field : ordered) {
            String wire = field.wireHex();
            if (wire != null) {
                byte[] bytes = HexFormat.of().parseHex("ff" + wire + "ff");
                new WireDigest(wireType(field), field.column())
                        .put(row, bytes, 1, bytes.length - 2);
            }
        }
        RowDigest digest = new RowDigest();
        digest.compute(row);

        assertThat(HexFormat.of().formatHex(Arrays.copyOf(row.buffer(), row.length())))
                .isEqualTo(vector.canonicalHex());
        assertThat(HexFormat.of().toHexDigits(digest.high())
                        + HexFormat.of().toHexDigits(digest.low()))
                .isEqualTo(vector.digest());
    }

    private static WireType wireType(VectorField field) {
        return switch (field.icebergType().typeId()) {
            case BOOLEAN -> WireType.BOOLEAN;
            case INTEGER -> field.sourceType().equals("smallint") ? WireType.INT2 : WireType.INT4;
            case LONG -> WireType.INT8;
            case FLOAT -> WireType.FLOAT4;
            case DOUBLE -> WireType.FLOAT8;
            case DECIMAL -> WireType.NUMERIC;
            case STRING -> field.sourceType().equals("jsonb") ? WireType.JSONB : WireType.TEXT;
            case BINARY -> WireType.BYTEA;
            case DATE -> WireType.DATE;
            case TIME -> WireType.TIME;
            case TIMESTAMP ->
                ((Types.TimestampType) field.icebergType()).shouldAdjustToUTC()
                        ? WireType.TIMESTAMP_TZ
                        : WireType.TIMESTAMP;
            case UUID -> WireType.UUID;
            default -> throw new IllegalArgumentException(field.type());
        };
    }

    /** The same rows, but the server makes the bytes. */
    @Test
    void digestsTheRowsOfTheServer() throws IOException {
        Map<TableSpec, DigestVector> tables = new LinkedHashMap<>();
        List<String> statements = new ArrayList<>();
        for (DigestVector vector : vectors()) {
            if (vector.fields().stream().allMatch(field -> field.postgresql() != null)) {
                String table = "v" + tables.size();
                tables.put(TableSpec.of(table), vector);
                statements.addAll(labels(vector));
                statements.add("create table " + table + " as select " + values(vector));
            }
        }
        SHOP.database.execute(statements.toArray(String[]::new));
        assertThat(tables).hasSizeGreaterThan(200);
        try (SourceSnapshot snapshot = SHOP.snapshot(tables.keySet().toArray(TableSpec[]::new))) {
            for (Map.Entry<TableSpec, DigestVector> entry : tables.entrySet()) {
                assertThat(balance(snapshot, entry.getKey()))
                        .as(entry.getValue().name())
                        .isEqualTo(Balance.of(1, entry.getValue().digest()));
            }
        }
    }

    private static String values(DigestVector vector) {
        return vector.fields().stream()
                .map(field -> "(" + field.postgresql() + ")::" + field.sourceType() + " as c"
                        + field.fieldId())
                .collect(Collectors.joining(", "));
    }

    private static List<String> labels(DigestVector vector) {
        return vector.fields().stream()
                .filter(field -> field.sourceType().endsWith("mood"))
                .filter(field -> field.wireHex() != null)
                .map(field -> "alter type mood add value if not exists '" + field.text() + "'")
                .toList();
    }

    private static Balance balance(SourceSnapshot snapshot, TableSpec spec) throws IOException {
        List<Column> columns = new ArrayList<>();
        for (Column column : snapshot.table(spec).columns()) {
            columns.add(column.withFieldId(Integer.parseInt(column.name().substring(1))));
        }
        RowSchema schema = new RowSchema(columns, List.of());
        try (PartitionRows rows = snapshot.reader(0).read(spec.table(), schema, KeyRange.ALL)) {
            try (ArrowReader chunk = rows.nextChunk(Shop.CHUNK_BYTES)) {
                Shop.drain(chunk, new ArrayList<>());
            }
            return rows.totals().balance();
        }
    }
}
