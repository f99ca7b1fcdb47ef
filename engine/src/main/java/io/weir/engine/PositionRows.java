package io.weir.engine;

import io.weir.core.row.RowPositions;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.util.List;

/** Positions of several files as rows of two numbers: index of the file, position. */
final class PositionRows extends ArrowReader {
    private static final int BATCH_ROWS = 65_536;

    private final List<RowPositions> files;
    private int file;
    private int rank;

    PositionRows(BufferAllocator allocator, List<RowPositions> files) {
        super(allocator);
        this.files = files;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        VectorSchemaRoot root = getVectorSchemaRoot();
        BigIntVector indexes = (BigIntVector) root.getVector(0);
        BigIntVector positions = (BigIntVector) root.getVector(1);
        indexes.allocateNew(BATCH_ROWS);
        positions.allocateNew(BATCH_ROWS);
        int row = 0;
        while (row < BATCH_ROWS && file < files.size()) {
            if (rank == files.get(file).size()) {
                file++;
                rank = 0;
            } else {
                indexes.set(row, file);
                positions.set(row, files.get(file).get(rank));
                rank++;
                row++;
            }
        }
        root.setRowCount(row);
        return row > 0;
    }

    @Override
    public long bytesRead() {
        return 0;
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
        return new Schema(List.of(
                Field.nullable("file", new ArrowType.Int(Long.SIZE, true)),
                Field.nullable("pos", new ArrowType.Int(Long.SIZE, true))));
    }
}
