package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.Balance;
import io.weir.core.row.RowSchema;
import io.weir.testkit.digest.DigestVector;
import io.weir.testkit.digest.DigestVectors;
import io.weir.testkit.digest.VectorField;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The file encoder against the vectors that every encoder has to meet. */
class DigestVectorTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    private static @Nullable EngineFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory.resolve("spill"));
    }

    @AfterAll
    static void close() {
        Objects.requireNonNull(fixture).close();
    }

    static List<DigestVector> vectors() {
        return DigestVectors.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void digestsTheStoredRow(DigestVector vector) {
        EngineFixture engine = Objects.requireNonNull(fixture);
        Path file = directory.resolve("vector.parquet");
        List<String> values = new ArrayList<>();
        for (VectorField field : vector.fields()) {
            values.add("(" + field.sql() + ")::" + DuckdbSql.type(field.icebergType()) + " as c"
                    + field.fieldId());
        }
        RowSchema schema = vector.schema();
        engine.execute("copy (select " + String.join(", ", values) + ") to " + DuckdbSql.path(file)
                + " (format parquet, " + DuckdbSql.fieldIds(schema.columns()) + ")");

        Measurement measured = engine.engine.measure(List.of(file), schema, List.of());

        assertThat(measured.balance()).isEqualTo(Balance.of(1, vector.digest()));
    }
}
