package io.weir.flow.merge;

import io.weir.engine.MergeResult;
import io.weir.engine.WrittenFile;
import io.weir.table.LocalFileIO;
import io.weir.table.StagedFile;

/** What the engine wrote, as the table wants it. */
final class StagedFiles {
    private StagedFiles() {}

    static StagedFile of(MergeResult.Appended appended) {
        WrittenFile file = appended.file();
        return new StagedFile(
                LocalFileIO.locationOf(file.path()),
                file.rows(),
                file.bytes(),
                new StagedFile.ColumnMetrics(
                        file.columnSizes(),
                        file.valueCounts(),
                        file.nullCounts(),
                        file.lowerBounds(),
                        file.upperBounds()),
                file.splitOffsets(),
                appended.route());
    }
}
