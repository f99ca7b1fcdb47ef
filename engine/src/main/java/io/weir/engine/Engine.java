package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.MetricName;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.row.Column;
import io.weir.core.row.RowPositions;
import io.weir.core.row.RowSchema;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/**
 * The embedded engine: DuckDB in this process. All methods may be called from several threads at a
 * time. {@link #close} is called when no other call runs.
 *
 * <p>Rows are written by one database that lives as long as the engine. Every measurement, every
 * query and every merge has a database for itself, because DuckDB gives up a whole database when
 * it stumbles over a damaged file. Together they have half of the memory; what does not fit waits
 * until others end, in the order of the calls.
 */
public final class Engine implements AutoCloseable {
    /** Most rows that {@link #query} returns. */
    public static final int QUERY_ROWS_MAX = 10_000;

    private static final int READERS_MAX = 2;

    /** Memory is given out in pieces of this size. */
    private static final int PIECE_BITS = 20;

    private final EngineConfig config;
    private final SpillDirectory spill;
    private final EmbeddedDatabase writing;
    private final IdleDatabases idle;
    private final BufferAllocator allocator = new RootAllocator();
    private final int pieces;
    private final Semaphore memory;
    private final ExecutorService pool;

    private Engine(EngineConfig config, SpillDirectory spill, EmbeddedDatabase writing) {
        this.config = config;
        this.spill = spill;
        this.writing = writing;
        this.idle = new IdleDatabases(spill);
        this.pieces = Math.max(READERS_MAX, piecesOf(writingBytes(config)));
        this.memory = new Semaphore(pieces, true);
        this.pool = Executors.newFixedThreadPool(config.threads(), threadFactory());
    }

    /**
     * Starts the engine. It never installs or loads anything from elsewhere.
     *
     * @throws WeirException ENGINE_FAILED if it cannot start
     */
    public static Engine open(EngineConfig config) {
        String what = "start the engine in " + config.temporaryDirectory();
        try {
            SpillDirectory spill = SpillDirectory.create(config.temporaryDirectory());
            try {
                EmbeddedDatabase writing = EmbeddedDatabase.forFiles(
                        writingBytes(config), config.threads(), spill.subdirectory());
                return new Engine(config, spill, writing);
            } catch (SQLException e) {
                spill.close();
                throw DuckdbErrors.engine(e, what);
            }
        } catch (IOException e) {
            throw DuckdbErrors.engine(e, what);
        }
    }

    /**
     * Writes rows as one Parquet file that is durable before this returns: zstd, field ids, columns
     * in the order of the schema. The file appears under its name complete or not at all; an
     * existing file of that name is replaced; missing directories are created. Rows are not kept in
     * order. Zero rows leave no file.
     *
     * @param rows fields by the names of the schema's columns, of exactly their types, structs with
     *     the same fields in the same order; UUIDs are sixteen bytes that carry the extension name
     *     {@code arrow.uuid}. Every batch comes in
     *     buffers of its own, because the engine works on several at a time. Stays open
     * @throws WeirException DISK_FULL, ENGINE_FAILED; whatever {@code rows} throws comes out as it
     *     is, except that an I/O error becomes ENGINE_FAILED
     */
    public WrittenFile write(ArrowReader rows, RowSchema schema, Path file) {
        return new ParquetWriter(writing, writingBytes(config), config.threads())
                .write(rows, schema, file);
    }

    /**
     * Describes a file as {@link #write} did when it wrote it, from the footer of the file alone:
     * for a process that stages what another one wrote. Bounds hold for all values, but are tighter
     * than those of {@link #write} where a row group has only NULLs, and wider where all values are
     * the same infinity. Damage outside of the footer is not seen, that is for {@link #measure}.
     *
     * @param schema columns that the file does not have are left out
     * @throws WeirException FILE_UNREADABLE if the file is missing, damaged, without rows or of
     *     another schema; ENGINE_FAILED, INTERRUPTED
     */
    public WrittenFile describe(Path file, RowSchema schema) {
        String what = "describe file " + file;
        return read(
                what,
                DuckdbErrors::engine,
                (database, connection) -> FileDescription.of(connection, file, schema));
    }

    /**
     * Writes rows as one such file for each route; a failure may leave some of them.
     *
     * @param rows as for {@link #write}, with one more field, the last one: {@link
     *     io.weir.core.route.RowRouter#FIELD}, a number from 0 on without gaps
     * @param fileOf where the rows of a route go
     * @return the file of each route, at its number; none if there are no rows
     * @throws WeirException as {@link #write}
     */
    public List<WrittenFile> writeRoutes(
            ArrowReader rows, RowSchema schema, IntFunction<Path> fileOf) {
        return new RouteWriter(
                        writing, new ParquetWriter(writing, writingBytes(config), config.threads()))
                .write(rows, schema, fileOf);
    }

    /**
     * The route of the first row of a file; whether the others have it too is measured.
     *
     * @throws WeirException FILE_UNREADABLE if the file is missing, empty, damaged or of another
     *     schema; ENGINE_FAILED, INTERRUPTED
     */
    public Route routeOf(Path file, RowSchema schema, PartitionBy partitionBy) {
        String what = "find the route of file " + file;
        return read(
                what,
                DuckdbErrors::engine,
                (database, connection) ->
                        new FirstRow(database, allocator, file).route(schema, partitionBy));
    }

    /**
     * Measures files from their own bytes. Columns are found by field id; a nullable column that a
     * file does not have is NULL in it.
     *
     * @throws WeirException FILE_UNREADABLE if a file is missing, damaged or of another schema;
     *     DISK_FULL, ENGINE_FAILED, INTERRUPTED
     * @throws IllegalArgumentException if a column has no such metric
     */
    public Measurement measure(List<Path> files, RowSchema schema, List<MetricName> metrics) {
        List<RoutedFile> routed =
                files.stream().map(file -> new RoutedFile(file, Route.NONE)).toList();
        return measure(routed, PartitionBy.NOTHING, schema, metrics);
    }

    /**
     * The same, and which rows have another route than their file; {@link
     * MetricName#MISPLACED_ROWS} counts them.
     */
    public Measurement measure(
            List<RoutedFile> files,
            PartitionBy partitionBy,
            RowSchema schema,
            List<MetricName> metrics) {
        String what = "measure " + files.size() + " files";
        return read(
                what,
                DuckdbErrors::engine,
                (database, connection) -> new FileMeasurement(
                                database,
                                allocator,
                                pool,
                                config.threads(),
                                files,
                                partitionBy,
                                schema)
                        .measure(metrics));
    }

    /**
     * Merges a window of a change log with what a table holds: follows the chain of every key,
     * finds the rows that go out, writes the rows that come in. Changes nothing of the table.
     *
     * @param directory below which the files go, in a new directory each time: those of an earlier
     *     call stay as they are
     * @param share of {@link #mergeShare}; merges whose shares fit beside each other run at once
     * @return why the window does not fit, if it does not; then no file is written
     * @throws WeirException DISK_FULL, ENGINE_FAILED, INTERRUPTED; ENGINE_MEMORY_EXCEEDED if the
     *     share is too small: then a larger one may do
     */
    public MergeResult merge(MergeInput input, Path directory, MergeShare share) {
        String what = "merge a window of " + input.logFiles().size() + " files";
        int taken = Math.min(pieces, Math.max(1, piecesOf(share.memoryBytes())));
        acquire(taken, what);
        try {
            return idle.use(
                    share,
                    (database, connection) -> new WindowMerger(
                                    new MergeSession(connection, allocator),
                                    input,
                                    new ParquetWriter(
                                            database, share.memoryBytes(), share.threads()))
                            .merge(directory));
        } catch (SQLException | IOException e) {
            throw DuckdbErrors.scan(e, what);
        } finally {
            memory.release(taken);
        }
    }

    /** All that merges have together: one that has it for itself waits until nothing else runs. */
    public MergeShare mergeShare() {
        return new MergeShare(writingBytes(config), config.threads());
    }

    /**
     * How many changes of a log lie behind a place and up to another.
     *
     * @param log columns of the files; of them only {@code place} is read
     * @throws WeirException ENGINE_FAILED, INTERRUPTED
     */
    public long countChanges(List<Path> logFiles, RowSchema log, long from, long to) {
        if (logFiles.isEmpty()) {
            return 0;
        }
        String what = "count the changes of " + logFiles.size() + " files";
        Column place = log.column("place");
        String sql = "SELECT count(*) FROM "
                + DuckdbSql.scan(DuckdbSql.patterns(logFiles), List.of(place))
                + " WHERE " + DuckdbSql.scanName(place) + " > " + from + " AND "
                + DuckdbSql.scanName(place) + " <= " + to;
        return read(
                what,
                DuckdbErrors::scan,
                (database, connection) -> new MergeSession(connection, allocator).number(sql));
    }

    /**
     * Reads rows of a table anew and digests their values; each must have the digest that is stored
     * beside it.
     *
     * @param files of the table
     * @param rows for each file which of its rows; null for all of them that are not deleted
     * @param columns of a row
     * @param rowHash the column that holds its digest
     * @return for each file what these rows hold
     * @throws WeirException FILE_UNREADABLE, ENGINE_FAILED, INTERRUPTED
     */
    public List<HashedMeasure> measureHashed(
            List<MergeFile> files,
            List<@Nullable RowPositions> rows,
            RowSchema columns,
            Column rowHash) {
        String what = "measure rows of " + files.size() + " files";
        return read(
                what,
                DuckdbErrors::scan,
                (database, connection) -> new HashedMeasurement(
                                new MergeSession(connection, allocator), files, columns, rowHash)
                        .measure(rows));
    }

    /** The same of all rows of files that are not deleted, together. */
    public HashedMeasure measureHashed(List<MergeFile> files, RowSchema columns, Column rowHash) {
        List<@Nullable RowPositions> all = Collections.nCopies(files.size(), null);
        return HashedMeasure.sum(measureHashed(files, all, columns, rowHash));
    }

    /**
     * The SHA-256 of each file's bytes, in hexadecimal, in the order given; see {@link
     * MeasuredFile#checksum}.
     *
     * @throws WeirException FILE_UNREADABLE if a file cannot be read; INTERRUPTED
     */
    public List<String> checksums(List<Path> files) {
        return FileChecksum.ofAll(files, pool);
    }

    /**
     * Answers one read-only query over tables; no other file can be read.
     *
     * @param tables by the name that the query uses, such as {@code sales.orders}
     * @return at most {@link #QUERY_ROWS_MAX} rows
     * @throws WeirException QUERY_INVALID with the message of the engine; ENGINE_FAILED,
     *     INTERRUPTED
     */
    public QueryResult query(String sql, Map<String, QueryTable> tables) {
        String what = "run the query";
        acquireReader(what);
        try (EmbeddedDatabase database = EmbeddedDatabase.forQuery(
                readingBytes(config), config.threads(), spill.subdirectory())) {
            return SqlQuery.run(database, sql, tables, QUERY_ROWS_MAX);
        } catch (SQLException | IOException e) {
            throw DuckdbErrors.engine(e, what);
        } finally {
            memory.release(readerPieces());
        }
    }

    /** Reads changes that others wrote, with a database for each call. */
    public OutsideReader outside() {
        return new OutsideReader(this::reading);
    }

    private <T> T read(
            String what,
            BiFunction<Exception, String, WeirException> errors,
            IdleDatabases.Use<T> use) {
        acquireReader(what);
        try {
            return idle.use(new MergeShare(readingBytes(config), config.threads()), use);
        } catch (SQLException | IOException e) {
            throw errors.apply(e, what);
        } finally {
            memory.release(readerPieces());
        }
    }

    private ReadingSession reading(String what) {
        acquireReader(what);
        try {
            return new ReadingSession(
                    () -> memory.release(readerPieces()),
                    EmbeddedDatabase.forFiles(
                            readingBytes(config), config.threads(), spill.subdirectory()),
                    allocator);
        } catch (SQLException | IOException e) {
            memory.release(readerPieces());
            throw DuckdbErrors.engine(e, what);
        }
    }

    /** Stops the engine and removes what it has spilled. */
    @Override
    public void close() {
        pool.shutdownNow();
        try {
            writing.close();
            idle.close();
            allocator.close();
            spill.close();
        } catch (SQLException | IOException e) {
            throw DuckdbErrors.engine(e, "stop the engine");
        }
    }

    private void acquireReader(String what) {
        acquire(readerPieces(), what);
    }

    private int readerPieces() {
        return pieces / READERS_MAX;
    }

    private void acquire(int count, String what) {
        try {
            memory.acquire(count);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(
                    ErrorCode.INTERRUPTED, "Cannot " + what + ": the thread was interrupted", e);
        }
    }

    private static long writingBytes(EngineConfig config) {
        return config.memoryBytes() / 2;
    }

    private static int piecesOf(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, bytes >> PIECE_BITS);
    }

    private static long readingBytes(EngineConfig config) {
        return config.memoryBytes() / 2 / READERS_MAX;
    }

    private static ThreadFactory threadFactory() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "weir-measure-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
