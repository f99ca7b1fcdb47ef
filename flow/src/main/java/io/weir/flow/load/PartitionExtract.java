package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Failure;
import io.weir.core.run.RunState;
import io.weir.engine.Engine;
import io.weir.engine.WrittenFile;
import io.weir.source.ChunkTotals;
import io.weir.source.PartitionRows;
import io.weir.source.TableReader;
import io.weir.source.TableSpec;
import io.weir.table.LocalFileIO;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Reads one claimed partition into chunk files and reports each once it is durable. */
final class PartitionExtract {
    private final Ledger ledger;
    private final Engine engine;
    private final TableSpec table;
    private final PartitionBy partitionBy;
    private final RowSchema schema;
    private final @Nullable Column rowHash;
    private final RowSchema stored;
    private final ChunkSizer sizer;
    private final WrittenFiles writtenFiles;

    PartitionExtract(
            Ledger ledger,
            Engine engine,
            TableSpec table,
            PartitionBy partitionBy,
            RowSchema schema,
            @Nullable Column rowHash,
            ChunkSizer sizer,
            WrittenFiles writtenFiles) {
        this.ledger = ledger;
        this.engine = engine;
        this.table = table;
        this.partitionBy = partitionBy;
        this.schema = schema;
        this.rowHash = rowHash;
        this.stored = rowHash == null ? schema : with(schema, rowHash);
        this.sizer = sizer;
        this.writtenFiles = writtenFiles;
    }

    private static RowSchema with(RowSchema schema, Column rowHash) {
        List<Column> columns = new ArrayList<>(schema.columns());
        columns.add(rowHash);
        return new RowSchema(columns, schema.key());
    }

    /**
     * Extracts the partition.
     *
     * @throws WeirException as reading or writing failed, after the ledger was told; {@link
     *     ErrorCode#CLAIM_MISMATCH} if the partition has another owner by now
     */
    void extract(WorkOrder order, TableReader reader, PartitionMeter.Reading reading) {
        try (PartitionRows rows = reader.read(table, schema, order.range(), partitionBy, rowHash)) {
            reading.reading(rows);
            int index = 0;
            boolean last = false;
            while (!last) {
                List<ChunkReport> reports = partitionBy.isPartitioned()
                        ? writeRoutes(order, rows, index)
                        : List.of(write(order, rows, index));
                ReportReply reply = ledger.reportChunks(order.claim(), reports);
                index += reports.size();
                last = reports.get(reports.size() - 1).last();
                if (!last && reply.runState() != RunState.EXTRACTING) {
                    throw ended(order, reply);
                }
            }
            reading.finished(rows);
        } catch (WeirException e) {
            if (e.code() != ErrorCode.CLAIM_MISMATCH && e.code() != ErrorCode.INTERRUPTED) {
                tell(order, e);
            }
            throw e;
        }
    }

    /** Somebody ended the run: what would be read from here on is read by nobody. */
    private static WeirException ended(WorkOrder order, ReportReply reply) {
        return new WeirException(
                ErrorCode.CLAIM_MISMATCH,
                "Cannot go on with partition "
                        + order.claim().partitionId()
                        + ": its run ended (state="
                        + reply.runState()
                        + ")");
    }

    /**
     * The books may already know of another failure, or be out of reach: the cause comes first,
     * unless the partition has another owner and the cause concerns nobody.
     */
    private void tell(WorkOrder order, WeirException cause) {
        try {
            ledger.failPartition(
                    order.claim(), new Failure("EXTRACT", cause.code().name(), cause.text()));
        } catch (WeirException e) {
            if (e.code() == ErrorCode.CLAIM_MISMATCH) {
                e.addSuppressed(cause);
                throw e;
            }
            cause.addSuppressed(e);
        }
    }

    private ChunkReport write(WorkOrder order, PartitionRows rows, int index) {
        String file = order.file(index);
        WrittenFile written = write(rows, LocalFileIO.pathOf(file));
        ChunkTotals totals = rows.totals();
        requireAll(file, totals.balance(), written);
        writtenFiles.add(file, written, Route.NONE);
        sizer.learn(totals.sourceBytes(), written.bytes());
        return new ChunkReport(
                index, written.bytes(), totals.balance(), totals.losses(), rows.exhausted());
    }

    /** One file for each route of the chunk; the indexes follow each other. */
    private List<ChunkReport> writeRoutes(WorkOrder order, PartitionRows rows, int index) {
        List<WrittenFile> written =
                writeRoutes(rows, number -> LocalFileIO.pathOf(order.file(index + number)));
        ChunkTotals totals = rows.totals();
        List<ChunkTotals.RouteTotals> routes = totals.routes();
        boolean last = rows.exhausted();
        if (routes.isEmpty()) {
            return List.of(new ChunkReport(index, 0, totals.balance(), List.of(), last));
        }
        if (routes.size() != written.size()) {
            throw lost(order.file(index), "routes", routes.size(), written.size());
        }
        List<ChunkReport> reports = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < routes.size(); i++) {
            String location = order.file(index + i);
            WrittenFile file = written.get(i);
            requireAll(location, routes.get(i).balance(), file);
            writtenFiles.add(location, file, routes.get(i).route());
            bytes += file.bytes();
            reports.add(new ChunkReport(
                    index + i,
                    file.bytes(),
                    routes.get(i).balance(),
                    // Losses are counted for the whole chunk.
                    i == 0 ? totals.losses() : List.of(),
                    last && i == routes.size() - 1));
        }
        sizer.learn(totals.sourceBytes(), bytes);
        return reports;
    }

    private static void requireAll(String file, Balance read, WrittenFile written) {
        if (written.rows() != read.rows()) {
            throw lost(file, "rows", read.rows(), written.rows());
        }
    }

    private static WeirException lost(String file, String what, long read, long written) {
        return new WeirException(
                ErrorCode.ENGINE_FAILED,
                "Cannot report chunk "
                        + file
                        + ": the engine wrote another number of "
                        + what
                        + " than were read (read="
                        + read
                        + ", written="
                        + written
                        + ")");
    }

    private List<WrittenFile> writeRoutes(PartitionRows rows, IntFunction<Path> fileOf) {
        try (ArrowReader chunk = rows.nextChunk(sizer.sourceBytesMax())) {
            return engine.writeRoutes(chunk, stored, fileOf);
        } catch (IOException e) {
            throw notClosed(fileOf.apply(0), e);
        }
    }

    private WrittenFile write(PartitionRows rows, Path file) {
        try (ArrowReader chunk = rows.nextChunk(sizer.sourceBytesMax())) {
            return engine.write(chunk, stored, file);
        } catch (IOException e) {
            throw notClosed(file, e);
        }
    }

    private static WeirException notClosed(Path file, IOException cause) {
        return new WeirException(
                ErrorCode.ENGINE_FAILED,
                "Cannot close chunk " + file + ": " + cause.getMessage(),
                cause);
    }
}
