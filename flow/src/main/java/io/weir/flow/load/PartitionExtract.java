package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Failure;
import io.weir.engine.Engine;
import io.weir.engine.WrittenFile;
import io.weir.source.ChunkTotals;
import io.weir.source.PartitionRows;
import io.weir.source.TableReader;
import io.weir.source.TableSpec;
import io.weir.table.LocalFileIO;

import org.apache.arrow.vector.ipc.ArrowReader;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Reads one claimed partition into chunk files and reports each once it is durable. */
final class PartitionExtract {
    private final Ledger ledger;
    private final Engine engine;
    private final TableSpec table;
    private final RowSchema schema;
    private final ChunkSizer sizer;
    private final WrittenFiles writtenFiles;

    PartitionExtract(
            Ledger ledger,
            Engine engine,
            TableSpec table,
            RowSchema schema,
            ChunkSizer sizer,
            WrittenFiles writtenFiles) {
        this.ledger = ledger;
        this.engine = engine;
        this.table = table;
        this.schema = schema;
        this.sizer = sizer;
        this.writtenFiles = writtenFiles;
    }

    /**
     * Extracts the partition.
     *
     * @throws WeirException as reading or writing failed, after the ledger was told; {@link
     *     ErrorCode#CLAIM_MISMATCH} if the partition has another owner by now
     */
    void extract(WorkOrder order, TableReader reader, PartitionMeter meter) {
        try (PartitionRows rows = reader.read(table.table(), schema, order.range())) {
            meter.reading(rows);
            int index = 0;
            boolean last = false;
            while (!last) {
                ChunkReport report = write(order, rows, index++);
                ledger.reportChunks(order.claim(), List.of(report));
                last = report.last();
            }
            meter.finished(rows);
        } catch (WeirException e) {
            if (e.code() != ErrorCode.CLAIM_MISMATCH && e.code() != ErrorCode.INTERRUPTED) {
                tell(order, e);
            }
            throw e;
        }
    }

    /** The books may already know of another failure, or be out of reach: the cause comes first. */
    private void tell(WorkOrder order, WeirException cause) {
        try {
            ledger.failPartition(
                    order.claim(), new Failure("EXTRACT", cause.code().name(), cause.text()));
        } catch (WeirException e) {
            cause.addSuppressed(e);
        }
    }

    private ChunkReport write(WorkOrder order, PartitionRows rows, int index) {
        String fileName =
                String.format(Locale.ROOT, "%s-%06d.parquet", order.claim().partitionId(), index);
        Path file = LocalFileIO.pathOf(order.path() + fileName);
        WrittenFile written = write(rows, file);
        ChunkTotals totals = rows.totals();
        if (written.rows() != totals.balance().rows()) {
            throw new WeirException(
                    ErrorCode.ENGINE_FAILED,
                    "Cannot report chunk "
                            + fileName
                            + ": the engine wrote another number of rows than were read (read="
                            + totals.balance().rows()
                            + ", written="
                            + written.rows()
                            + ")");
        }
        writtenFiles.add(order.path() + fileName, written);
        sizer.learn(totals.sourceBytes(), written.bytes());
        return new ChunkReport(
                index,
                written.rows() == 0 ? null : fileName,
                written.bytes(),
                totals.balance(),
                totals.losses(),
                rows.exhausted());
    }

    private WrittenFile write(PartitionRows rows, Path file) {
        try (ArrowReader chunk = rows.nextChunk(sizer.sourceBytesMax())) {
            return engine.write(chunk, schema, file);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.ENGINE_FAILED,
                    "Cannot close chunk " + file + ": " + e.getMessage(),
                    e);
        }
    }
}
