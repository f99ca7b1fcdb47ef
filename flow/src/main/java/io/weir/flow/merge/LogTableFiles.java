package io.weir.flow.merge;

import io.weir.core.row.RowSchema;
import io.weir.table.FileEntry;
import io.weir.table.LocalFileIO;
import io.weir.table.LogTable;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** The files of a change log of ours. */
public record LogTableFiles(LogTable log) implements ChangeFiles {
    private static final String SUFFIX = ".parquet";
    private static final int PLACE_DIGITS = 16;

    @Override
    public List<Path> files(long from, long to) {
        return log.files(from).stream()
                .map(file -> LocalFileIO.pathOf(file.path()))
                .filter(file -> endOf(file) > from)
                .toList();
    }

    /** Bytes of the files that hold changes behind a place. */
    public long bytes(long from) {
        return log.files(from).stream()
                .filter(file -> endOf(LocalFileIO.pathOf(file.path())) > from)
                .mapToLong(FileEntry::bytes)
                .sum();
    }

    /** Where the changes of a file end, as its name tells; other names tell nothing. */
    private static long endOf(Path file) {
        String name = file.getFileName().toString();
        if (name.length() != PLACE_DIGITS + SUFFIX.length() || !name.endsWith(SUFFIX)) {
            return Long.MAX_VALUE;
        }
        String digits = name.substring(0, PLACE_DIGITS);
        boolean place = digits.chars().allMatch(HexFormat::isHexDigit);
        return place ? HexFormat.fromHexDigitsToLong(digits) : Long.MAX_VALUE;
    }

    @Override
    public RowSchema columns() {
        return log.schema();
    }

    @Override
    public RowSchema rows() {
        return log.rows();
    }
}
