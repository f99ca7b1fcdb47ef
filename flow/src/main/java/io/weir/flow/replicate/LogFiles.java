package io.weir.flow.replicate;

import io.weir.core.row.RowSchema;
import io.weir.flow.merge.ChangeFiles;
import io.weir.table.FileEntry;
import io.weir.table.LocalFileIO;
import io.weir.table.LogTable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A change log of ours: the names of its files say where each ends. */
final class LogFiles implements ChangeFiles {
    private static final int HEX = 16;
    private static final String SUFFIX = ".parquet";

    private final LogTable log;

    LogFiles(LogTable log) {
        this.log = log;
    }

    @Override
    public List<Path> files(long from, long to) {
        List<Path> found = new ArrayList<>();
        TreeMap<Long, Path> byEnd = new TreeMap<>();
        for (FileEntry entry : log.files()) {
            Path path = LocalFileIO.pathOf(entry.path());
            OptionalLong end = endOf(path);
            if (end.isPresent()) {
                byEnd.put(end.getAsLong(), path);
            } else {
                // Others put several files together: it may hold anything.
                found.add(path);
            }
        }
        long begin = Long.MIN_VALUE;
        for (var file : byEnd.entrySet()) {
            if (file.getKey() > from && begin < to) {
                found.add(file.getValue());
            }
            begin = file.getKey();
        }
        return found;
    }

    private static OptionalLong endOf(Path path) {
        String name = String.valueOf(path.getFileName());
        if (name.length() != HEX + SUFFIX.length() || !name.endsWith(SUFFIX)) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseUnsignedLong(name.substring(0, HEX), HEX));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
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
