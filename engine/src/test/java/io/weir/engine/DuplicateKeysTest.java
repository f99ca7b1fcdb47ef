package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.metric.MetricName;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

class DuplicateKeysTest {
    private static final RowSchema SCHEMA = new RowSchema(
            List.of(
                    EveryType.column(1, "a", "bigint", Types.LongType.get()),
                    EveryType.column(2, "b", "text", Types.StringType.get())),
            List.of("a", "b"));

    @Test
    void countsRowsBeyondTheFirstOfEachKey(@TempDir Path directory) {
        try (EngineFixture fixture = new EngineFixture(directory.resolve("spill"))) {
            Path one = directory.resolve("one.parquet");
            Path two = directory.resolve("two.parquet");
            fixture.execute(copy("(values (1, 'x'), (1, 'y'), (2, 'x'), (1, 'x'))", one));
            fixture.execute(copy("(values (1, 'x'), (3, 'x'), (2, 'X'))", two));

            assertThat(count(fixture, List.of(one, two))).isEqualTo("2");
            assertThat(count(fixture, List.of(two))).isEqualTo("0");
        }
    }

    /** Two million keys of fifty bytes; a measurement gets a quarter of the memory, 80 MB. */
    @Test
    void spillsWhenTheKeysAreMoreThanTheMemory(@TempDir Path directory) throws IOException {
        Path spill = directory.resolve("spill");
        EngineConfig small = new EngineConfig(320L << 20, 2, spill);
        try (EngineFixture fixture = new EngineFixture(small)) {
            Path file = directory.resolve("many.parquet");
            fixture.execute(copy(
                    "(select i % 1999999, 'a key of some length ' || (i % 1999999) ||"
                            + " ' that does not fit' from range(2000000) t(i))",
                    file));

            assertThat(count(fixture, List.of(file))).isEqualTo("1");
        }
        try (Stream<Path> left = Files.list(spill)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void countsWholeNumbersThatLieTogether(@TempDir Path directory) {
        try (EngineFixture fixture = new EngineFixture(directory.resolve("spill"))) {
            Path one = directory.resolve("one.parquet");
            Path two = directory.resolve("two.parquet");
            fixture.execute(copy(
                    "(select i - 1500000, 'x' from range(3000000) t(i)"
                            + " union all select -1, 'again')",
                    one));
            fixture.execute(copy("(values (-1048577, 'x'), (1500000, 'x'), (-1, 'x'))", two));

            assertThat(countNumbers(fixture, List.of(one, two))).isEqualTo("3");
            assertThat(countNumbers(fixture, List.of(one))).isEqualTo("1");
            assertThat(countNumbers(fixture, List.of(two))).isEqualTo("0");
        }
    }

    @Test
    void countsWholeNumbersThatAreSpread(@TempDir Path directory) {
        try (EngineFixture fixture = new EngineFixture(directory.resolve("spill"))) {
            Path file = directory.resolve("spread.parquet");
            fixture.execute(copy(
                    "(select i * 1000000000000 - 9000000000000000000, 'x' from range(9000) t(i)"
                            + " union all values (9223372036854775807, 'x'),"
                            + " (-9223372036854775808, 'y'), (9223372036854775807, 'z'))",
                    file));

            assertThat(countNumbers(fixture, List.of(file))).isEqualTo("1");
        }
    }

    @Test
    void countsNullAsOneKey(@TempDir Path directory) {
        try (EngineFixture fixture = new EngineFixture(directory.resolve("spill"))) {
            Path file = directory.resolve("nulls.parquet");
            fixture.execute(copy("(values (1, 'x'), (null, 'x'), (null, 'y'), (null, 'z'))", file));

            assertThat(countNumbers(fixture, List.of(file))).isEqualTo("2");
        }
    }

    private static String countNumbers(EngineFixture fixture, List<Path> files) {
        RowSchema schema = new RowSchema(SCHEMA.columns(), List.of("a"));
        return String.valueOf(fixture.engine
                .measure(files, schema, List.of(MetricName.DUPLICATE_KEYS))
                .metrics()
                .get(0)
                .value());
    }

    private static String copy(String rows, Path file) {
        return "copy (select a::bigint as a, b from " + rows + " t(a, b)) to "
                + DuckdbSql.path(file) + " (format parquet, field_ids {a: 1, b: 2})";
    }

    private static String count(EngineFixture fixture, List<Path> files) {
        return String.valueOf(fixture.engine
                .measure(files, SCHEMA, List.of(MetricName.DUPLICATE_KEYS))
                .metrics()
                .get(0)
                .value());
    }
}
