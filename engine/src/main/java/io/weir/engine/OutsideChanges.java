package io.weir.engine;

import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.duckdb.DuckDBResultSet;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * Changes that others wrote, one after the other in the order in which they count. For one thread;
 * holds a database until it is closed.
 */
public final class OutsideChanges implements AutoCloseable {
    private static final int BATCH_ROWS = 4_096;
    private static final List<Type> HEAD = List.of(
            Types.LongType.get(),
            Types.LongType.get(),
            Types.StringType.get(),
            Types.StringType.get(),
            Types.LongType.get(),
            Types.StringType.get(),
            Types.BooleanType.get(),
            Types.BooleanType.get(),
            Types.BooleanType.get(),
            Types.StringType.get(),
            Types.StringType.get(),
            Types.StringType.get());

    private final ReadingSession reading;
    private final String what;
    private final OutsideRead read;
    private final List<ColumnScan> scans = new ArrayList<>();
    private final BitSet untold = new BitSet();
    private final Statement statement;
    private final DuckDBResultSet result;
    private final ArrowReader batches;
    private int rows;
    private int row;

    private OutsideChanges(ReadingSession reading, OutsideRead read, String what)
            throws SQLException {
        this.reading = reading;
        this.read = read;
        this.what = what;
        for (Type type : HEAD) {
            scans.add(scan(new Column(1, "", "text", type, false, LossPolicy.FAIL)));
        }
        List<Column> columns = read.rows().columns();
        columns.forEach(column -> scans.add(scan(column)));
        columns.forEach(column -> scans.add(scan(column)));
        for (int i = 0; i < columns.size(); i++) {
            untold.set(
                    i,
                    !read.wholeBefore()
                            && !read.rows().key().contains(columns.get(i).name()));
        }
        MergeSession session = reading.session();
        session.execute("SET SESSION jdbc_stream_results = true");
        this.statement = session.connection().createStatement();
        this.result = (DuckDBResultSet) statement.executeQuery(new OutsideScan(read).changes());
        this.batches = (ArrowReader) result.arrowExportStream(session.allocator(), BATCH_ROWS);
    }

    static OutsideChanges open(ReadingSession reading, OutsideRead read) {
        String what = "read the changes of " + read.files().size() + " files";
        try {
            return new OutsideChanges(reading, read, what);
        } catch (SQLException e) {
            WeirException failure = failure(reading, read, what, e);
            reading.close();
            throw failure;
        }
    }

    /** A stream of results does not tell why it ended, so the same is asked without one. */
    private static WeirException failure(
            ReadingSession reading, OutsideRead read, String what, Exception cause) {
        try {
            MergeSession session = reading.session();
            session.execute("SET SESSION jdbc_stream_results = false");
            session.execute("CREATE TEMP TABLE asked AS " + new OutsideScan(read).changes());
            return DuckdbErrors.outside(cause, what);
        } catch (SQLException e) {
            return DuckdbErrors.outside(e, what);
        }
    }

    private static ColumnScan scan(Column column) {
        return ColumnScan.of(column, false);
    }

    /**
     * The next change.
     *
     * @return null if there is none
     * @throws io.weir.core.error.WeirException {@code LOG_CHANGE_INVALID} for a value that does not
     *     fit its column; ENGINE_FAILED, DISK_FULL
     */
    public @Nullable OutsideChange next() {
        try {
            while (row == rows) {
                if (!batches.loadNextBatch()) {
                    return null;
                }
                load();
            }
        } catch (IOException | RuntimeException e) {
            throw failure(reading, read, what, e);
        }
        return change(row++);
    }

    private void load() throws IOException {
        row = 0;
        rows = batches.getVectorSchemaRoot().getRowCount();
        List<FieldVector> vectors = batches.getVectorSchemaRoot().getFieldVectors();
        for (int i = 0; i < scans.size(); i++) {
            scans.get(i).load(vectors.get(i), rows);
        }
    }

    private OutsideChange change(int at) {
        int width = read.rows().columns().size();
        return new OutsideChange(
                Objects.requireNonNull(number(0, at)),
                text(2, at),
                number(1, at),
                scans.get(3).objectOrNull(at) instanceof String transaction ? transaction : null,
                number(4, at),
                text(5, at),
                flag(8, at),
                text(9, at),
                flag(6, at) ? image(HEAD.size(), missing(10, at, untold), at) : null,
                flag(7, at) ? image(HEAD.size() + width, missing(11, at, new BitSet()), at) : null);
    }

    private @Nullable Long number(int index, int at) {
        return scans.get(index).objectOrNull(at) instanceof Long number ? number : null;
    }

    private String text(int index, int at) {
        return scans.get(index).objectOrNull(at) instanceof String text ? text : "";
    }

    private boolean flag(int index, int at) {
        return Boolean.TRUE.equals(scans.get(index).objectOrNull(at));
    }

    private BitSet missing(int index, int at, BitSet always) {
        BitSet missing = (BitSet) always.clone();
        String list = text(index, at);
        if (!list.isEmpty()) {
            Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).forEach(missing::set);
        }
        return missing;
    }

    private OutsideChange.Image image(int from, BitSet missing, int at) {
        @Nullable Object[] values = new @Nullable Object[read.rows().columns().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = scans.get(from + i).objectOrNull(at);
        }
        return new OutsideChange.Image(Arrays.asList(values), missing);
    }

    @Override
    public void close() {
        try (reading;
                statement;
                result;
                batches) {
            rows = 0;
            row = 0;
        } catch (SQLException | IOException e) {
            throw DuckdbErrors.engine(e, "close a reader");
        }
    }
}
