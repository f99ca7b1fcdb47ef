package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.route.RowRouter;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

class RouteWriterTest {
    private static final RowSchema SCHEMA = EveryType.SCHEMA;
    private static final PartitionBy BY = PartitionBy.parse("truth, truncate(1, name)");

    @TempDir
    Path directory;

    private EngineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory.resolve("tmp"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static RowSchema withRoute() {
        List<Column> columns = new ArrayList<>(SCHEMA.columns());
        columns.add(EveryType.column(99, RowRouter.FIELD, "int", Types.IntegerType.get()));
        return new RowSchema(columns, List.of());
    }

    private static List<List<@Nullable Object>> routed(
            List<List<@Nullable Object>> rows, ToIntFunction<List<@Nullable Object>> route) {
        List<List<@Nullable Object>> routed = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            List<@Nullable Object> values = new ArrayList<>(row);
            values.add(route.applyAsInt(row));
            routed.add(values);
        }
        return routed;
    }

    private Path file(int number) {
        return directory.resolve("out").resolve("f" + number + ".parquet");
    }

    private List<WrittenFile> write(List<List<@Nullable Object>> routed) {
        try (RowBatches batches = new RowBatches(fixture.allocator, withRoute(), routed, 700)) {
            return fixture.engine.writeRoutes(batches, SCHEMA, this::file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> filesLeft() throws IOException {
        Path out = directory.resolve("out");
        if (!Files.exists(out)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(out)) {
            return files.toList();
        }
    }

    @Test
    void everyRowGoesIntoTheFileOfItsRoute() throws IOException {
        List<List<@Nullable Object>> rows = EveryType.rows(5_000);
        RowRouter router = new RowRouter(BY, SCHEMA);
        int truth = SCHEMA.names().indexOf("truth");
        int name = SCHEMA.names().indexOf("name");

        List<WrittenFile> files = write(routed(
                rows, row -> router.number(new Object[] {row.get(truth), row.get(name)})));

        List<Route> routes = router.routes();
        assertThat(files).hasSameSizeAs(routes).hasSizeGreaterThan(3);
        assertThat(filesLeft()).hasSameSizeAs(routes);
        assertThat(files.stream().mapToLong(WrittenFile::rows).sum()).isEqualTo(5_000);
        List<RoutedFile> staged = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            assertThat(files.get(i).path()).isEqualTo(file(i));
            assertThat(fixture.engine.routeOf(file(i), SCHEMA, BY)).isEqualTo(routes.get(i));
            staged.add(new RoutedFile(file(i), routes.get(i)));
        }
        Measurement measured =
                fixture.engine.measure(staged, BY, SCHEMA, List.of(MetricName.MISPLACED_ROWS));
        assertThat(measured.metrics()).containsExactly(new Measure(MetricName.MISPLACED_ROWS, "0"));
        Path whole = directory.resolve("whole.parquet");
        fixture.write(SCHEMA, rows, whole);
        Balance expected =
                fixture.engine.measure(List.of(whole), SCHEMA, List.of()).balance();
        assertThat(measured.balance()).isEqualTo(expected);
    }

    @Test
    void countsRowsThatAreOutOfPlace() {
        List<List<@Nullable Object>> rows = EveryType.rows(1_000);
        int truth = SCHEMA.names().indexOf("truth");
        long yes =
                rows.stream().filter(row -> Boolean.TRUE.equals(row.get(truth))).count();
        long none = rows.stream().filter(row -> row.get(truth) == null).count();
        write(routed(rows, row -> 0));
        PartitionBy byTruth = PartitionBy.parse("truth");

        Measurement measured = fixture.engine.measure(
                List.of(new RoutedFile(file(0), Route.of(true))),
                byTruth,
                SCHEMA,
                List.of(MetricName.MISPLACED_ROWS));

        assertThat(measured.files().get(0).misplacedRows()).isEqualTo(1_000 - yes);
        assertThat(measured.metrics().get(0).value()).isEqualTo(Long.toString(1_000 - yes));
        assertThat(none).isPositive();
        assertThat(fixture.engine.routeOf(file(0), SCHEMA, byTruth).values()).hasSize(1);
    }

    @Test
    void readsPartitionValuesOfEveryType() {
        List<List<@Nullable Object>> rows = EveryType.rows(5);
        List<List<@Nullable Object>> highest = routed(rows.subList(1, 2), row -> 0);
        write(highest);
        List<String> names = SCHEMA.names().stream()
                .filter(name -> !name.equals("ratio") && !name.equals("exact"))
                .toList();

        Route route = fixture.engine.routeOf(
                file(0), SCHEMA, PartitionBy.parse(String.join(", ", names)));

        for (int i = 0; i < names.size(); i++) {
            Object value = rows.get(1).get(SCHEMA.names().indexOf(names.get(i)));
            Object expected = value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
            assertThat(route.values().get(i)).as(names.get(i)).isEqualTo(expected);
        }
    }

    @Test
    void noRowsLeaveNoFile() throws IOException {
        assertThat(write(List.of())).isEmpty();
        assertThat(filesLeft()).isEmpty();
    }

    @Test
    void aGapInTheNumbersIsRefusedAndLeavesNoFile() throws IOException {
        List<List<@Nullable Object>> rows = EveryType.rows(10);

        assertThatThrownBy(() -> write(routed(rows, row -> row.get(0).equals(5L) ? 2 : 0)))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.ENGINE_FAILED))
                .hasMessageContaining("routes=2");
        assertThat(filesLeft()).isEmpty();
    }

    @Test
    void rowsWithoutARouteAreRefused() {
        assertThatThrownBy(() -> {
                    try (RowBatches batches =
                            new RowBatches(fixture.allocator, SCHEMA, EveryType.rows(10), 10)) {
                        fixture.engine.writeRoutes(batches, SCHEMA, this::file);
                    }
                })
                .isInstanceOf(WeirException.class)
                .hasMessageContaining("the rows have no route");
    }

    @Test
    void whatTheSourceThrowsComesOutAsItIs() throws IOException {
        IllegalStateException failure = new IllegalStateException("Rüyada");
        try (FailingBatches batches = new FailingBatches(
                fixture.allocator, withRoute(), routed(EveryType.rows(10), row -> 0), failure)) {
            assertThatThrownBy(() -> fixture.engine.writeRoutes(batches, SCHEMA, this::file))
                    .isSameAs(failure);
        }
        assertThat(filesLeft()).isEmpty();
    }
}
