package io.weir.ingest.file;

import io.weir.core.route.Route;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.table.StagedFile;
import io.weir.table.StagedFile.ColumnMetrics;

import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the footer of a file tells about its columns, in the table's words. */
final class FileFigures {
    private FileFigures() {}

    static StagedFile of(
            ParquetMetadata footer,
            RowSchema schema,
            String path,
            long rows,
            long bytes,
            Route route) {
        Map<Integer, Long> sizes = new HashMap<>();
        Map<Integer, Long> values = new HashMap<>();
        Map<Integer, Long> nulls = new HashMap<>();
        Map<Integer, ByteBuffer> lower = new HashMap<>();
        Map<Integer, ByteBuffer> upper = new HashMap<>();
        List<BlockMetaData> blocks = footer.getBlocks();
        List<Column> columns = schema.columns();
        for (int i = 0; i < columns.size() && !blocks.isEmpty(); i++) {
            Column column = columns.get(i);
            int id = column.fieldId();
            Statistics<?> all =
                    blocks.get(0).getColumns().get(i).getStatistics().copy();
            for (BlockMetaData block : blocks) {
                ColumnChunkMetaData chunk = block.getColumns().get(i);
                sizes.merge(id, chunk.getTotalSize(), Long::sum);
                values.merge(id, chunk.getValueCount(), Long::sum);
                nulls.merge(id, chunk.getStatistics().getNumNulls(), Long::sum);
                if (block != blocks.get(0)) {
                    all.mergeStatistics(chunk.getStatistics());
                }
            }
            ByteBuffer least = ColumnBounds.lower(column.type(), all);
            ByteBuffer most = ColumnBounds.upper(column.type(), all);
            if (least != null) {
                lower.put(id, least);
            }
            if (most != null) {
                upper.put(id, most);
            }
        }
        List<Long> offsets = new ArrayList<>();
        blocks.forEach(block -> offsets.add(block.getStartingPos()));
        return new StagedFile(
                path,
                rows,
                bytes,
                new ColumnMetrics(sizes, values, nulls, lower, upper),
                offsets,
                route);
    }
}
