package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.arrow.memory.BufferAllocator;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One measurement of a set of files. All balances and all metrics of columns come from one scan,
 * which the threads of the pool share by slices; duplicate keys take a second scan of the key,
 * unless {@link KeyBits} can count them.
 */
final class FileMeasurement {
    private final EmbeddedDatabase database;
    private final BufferAllocator allocator;
    private final ExecutorService pool;
    private final int threads;
    private final List<RoutedFile> routed;
    private final List<Path> files;
    private final PartitionBy partitionBy;
    private final RowSchema schema;
    private final List<Column> byFieldId;
    private final AtomicBoolean cancelled = new AtomicBoolean();

    FileMeasurement(
            EmbeddedDatabase database,
            BufferAllocator allocator,
            ExecutorService pool,
            int threads,
            List<RoutedFile> files,
            PartitionBy partitionBy,
            RowSchema schema) {
        this.database = database;
        this.allocator = allocator;
        this.pool = pool;
        this.threads = threads;
        this.routed = List.copyOf(files);
        this.files = routed.stream().map(RoutedFile::path).toList();
        this.partitionBy = partitionBy;
        this.schema = schema;
        this.byFieldId = schema.columns().stream()
                .sorted(Comparator.comparingInt(Column::fieldId))
                .toList();
    }

    Measurement measure(List<MetricName> metrics) {
        for (MetricName name : metrics) {
            if (name.column() != null) {
                ColumnTotals.require(name.kind(), schema.column(name.column()));
            }
        }
        if (metrics.contains(MetricName.MISPLACED_ROWS) && !partitionBy.isPartitioned()) {
            throw new IllegalArgumentException("Files without routes have no misplaced rows");
        }
        List<FileSlice> slices = FileSlice.cut(layouts(), threads);
        // Before the rows are read: a file that changes from here on has another checksum later.
        List<String> checksums = FileChecksum.ofAll(files, pool);
        KeyBits keys = metrics.contains(MetricName.DUPLICATE_KEYS) ? KeyBits.of(schema) : null;
        Set<String> totalled = new HashSet<>();
        metrics.forEach(name -> {
            if (name.column() != null) {
                totalled.add(name.column());
            }
        });
        List<Part> parts = scan(slices, totalled, keys);
        List<Found> found = new ArrayList<>(Collections.nCopies(files.size(), Found.NOTHING));
        Map<Integer, ColumnTotals> totals = new HashMap<>();
        for (Column column : byFieldId) {
            totals.put(column.fieldId(), new ColumnTotals());
        }
        for (Part part : parts) {
            part.found()
                    .forEach((index, more) -> found.set(index, found.get(index).plus(more)));
            for (ColumnScan scan : part.scans()) {
                totals.computeIfAbsent(scan.fieldId(), id -> new ColumnTotals()).add(scan.totals());
            }
        }
        Found sum = Found.NOTHING;
        List<MeasuredFile> measured = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            Found of = found.get(i);
            measured.add(new MeasuredFile(
                    files.get(i), of.balance(), of.misplacedRows(), checksums.get(i)));
            sum = sum.plus(of);
        }
        List<Measure> measures = new ArrayList<>();
        for (MetricName name : metrics) {
            measures.add(new Measure(name, text(name, sum, totals, keys)));
        }
        return new Measurement(measured, measures, sum.balance());
    }

    private @Nullable String text(
            MetricName name, Found sum, Map<Integer, ColumnTotals> totals, @Nullable KeyBits keys) {
        MetricKind kind = name.kind();
        return switch (kind) {
            case ROW_COUNT -> Long.toString(sum.balance().rows());
            case BALANCE -> sum.balance().toString();
            case MISPLACED_ROWS -> Long.toString(sum.misplacedRows());
            case DUPLICATE_KEYS -> Long.toString(duplicateKeys(keys));
            case NULL_COUNT, MIN, MAX, SUM, BYTES -> {
                String columnName = name.column();
                if (columnName == null) {
                    throw new IllegalArgumentException("Metric " + name + " names no column");
                }
                Column column = schema.column(columnName);
                ColumnTotals of = totals.get(column.fieldId());
                yield of == null ? null : of.text(kind, column);
            }
        };
    }

    private long duplicateKeys(@Nullable KeyBits keys) {
        OptionalLong counted = keys == null ? OptionalLong.empty() : keys.duplicates();
        return counted.isPresent()
                ? counted.getAsLong()
                : new DuplicateKeys(database, schema).count(files);
    }

    private List<ParquetLayout> layouts() {
        List<ParquetLayout> layouts = new ArrayList<>();
        try (DuckDBConnection connection = database.connect()) {
            for (Path file : files) {
                layouts.add(ParquetLayout.of(connection, file, byFieldId));
            }
        } catch (SQLException e) {
            throw DuckdbErrors.engine(e, "open a connection");
        }
        return layouts;
    }

    private List<Part> scan(List<FileSlice> slices, Set<String> totalled, @Nullable KeyBits keys) {
        AtomicInteger next = new AtomicInteger();
        List<Future<Part>> running = new ArrayList<>();
        for (int i = 0; i < Math.min(threads, slices.size()); i++) {
            SliceScanner scanner = new SliceScanner(byFieldId, totalled, partitionBy, keys);
            running.add(pool.submit(() -> scan(slices, next, scanner)));
        }
        List<Part> parts = new ArrayList<>();
        WeirException first = null;
        boolean interrupted = false;
        // Every thread is waited for: none may still use the connection when this returns.
        for (Future<Part> future : running) {
            Outcome outcome = await(future);
            interrupted |= outcome.interrupted();
            if (outcome.part() != null) {
                parts.add(outcome.part());
            } else if (first == null || DuckdbErrors.isConsequence(first)) {
                first = outcome.failure();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
            throw new WeirException(
                    ErrorCode.INTERRUPTED,
                    "Cannot measure " + files.size() + " files: the thread was interrupted");
        }
        if (first != null) {
            throw first;
        }
        return parts;
    }

    private Part scan(List<FileSlice> slices, AtomicInteger next, SliceScanner scanner) {
        Map<Integer, Found> found = new HashMap<>();
        boolean done = false;
        try (DuckDBConnection connection = SliceScanner.connect(database)) {
            for (int i = next.getAndIncrement();
                    i < slices.size() && !cancelled.get();
                    i = next.getAndIncrement()) {
                FileSlice slice = slices.get(i);
                Route route = routed.get(slice.fileIndex()).route();
                Balance balance = scanner.scan(connection, allocator, slice, route, cancelled);
                found.merge(
                        slice.fileIndex(),
                        new Found(balance, scanner.misplacedRows()),
                        Found::plus);
            }
            done = true;
        } catch (SQLException e) {
            throw DuckdbErrors.engine(e, "open a connection");
        } finally {
            if (!done) {
                cancelled.set(true);
            }
        }
        return new Part(found, scanner.scans());
    }

    private Outcome await(Future<Part> future) {
        boolean interrupted = false;
        while (true) {
            try {
                return new Outcome(future.get(), null, interrupted);
            } catch (InterruptedException e) {
                interrupted = true;
                cancelled.set(true);
            } catch (ExecutionException e) {
                return new Outcome(null, failure(e), interrupted);
            }
        }
    }

    private static WeirException failure(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof WeirException known) {
            return known;
        }
        return new WeirException(
                ErrorCode.INTERNAL, "Cannot measure files: " + cause, cause == null ? e : cause);
    }

    /** What one thread has found, by file. */
    private record Part(Map<Integer, Found> found, List<ColumnScan> scans) {}

    private record Found(Balance balance, long misplacedRows) {
        static final Found NOTHING = new Found(Balance.ZERO, 0);

        Found plus(Found other) {
            return new Found(balance.plus(other.balance), misplacedRows + other.misplacedRows);
        }
    }

    private record Outcome(
            @Nullable Part part, @Nullable WeirException failure, boolean interrupted) {}
}
