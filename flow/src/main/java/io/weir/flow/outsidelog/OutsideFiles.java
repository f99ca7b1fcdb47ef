package io.weir.flow.outsidelog;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.RowSchema;
import io.weir.engine.Engine;
import io.weir.engine.OutsideFile;
import io.weir.ledger.replica.TakenFile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is asked of the files of one outside log. */
final class OutsideFiles {
    private final OutsideLog outside;
    private final String table;
    private final Engine engine;

    OutsideFiles(OutsideLog outside, String table, Engine engine) {
        this.outside = outside;
        this.table = table;
        this.engine = engine;
    }

    static OutsideFile of(Map<String, OutsideFile> inspected, FoundFile file) {
        OutsideFile found = inspected.get(file.name());
        if (found == null) {
            throw new IllegalStateException("Not looked at: " + file.path());
        }
        return found;
    }

    /**
     * What files hold, by name.
     *
     * @throws WeirException {@link ErrorCode#LOG_FILE_UNFINISHED}, {@link ErrorCode#LOG_UNFIT},
     *     {@link ErrorCode#LOG_CHANGE_INVALID}
     */
    Map<String, OutsideFile> inspect(List<FoundFile> files) {
        Map<String, OutsideFile> inspected = new LinkedHashMap<>();
        if (files.isEmpty()) {
            return inspected;
        }
        try {
            List<OutsideFile> found = engine.outside()
                    .inspect(files.stream().map(FoundFile::path).toList(), outside.columns());
            for (int i = 0; i < files.size(); i++) {
                inspected.put(files.get(i).name(), found.get(i));
            }
            return inspected;
        } catch (WeirException e) {
            throw e.code() == ErrorCode.FILE_UNREADABLE
                    ? new WeirException(
                            ErrorCode.LOG_FILE_UNFINISHED,
                            e.text(),
                            "Wait until it is written; if its writer is gone, remove it, then run"
                                    + " weir continue TABLE --reason TEXT.",
                            e)
                    : e;
        }
    }

    /** The same of files that must tell rows of these columns. */
    Map<String, OutsideFile> inspect(List<FoundFile> files, RowSchema rows) {
        Map<String, OutsideFile> inspected = inspect(files);
        inspected.values().forEach(file -> {
            List<String> differences = file.differences(rows.columns(), outside.exclude());
            if (!differences.isEmpty()) {
                throw new WeirException(
                        ErrorCode.LOG_UNFIT,
                        "Cannot take file " + file.path() + " for table " + table + ": "
                                + String.join("; ", differences)
                                + added(file.added(rows.columns(), outside.exclude())),
                        "Let the file tell the columns of the table as docs/replicate.md says;"
                                + " exclude leaves out those that the table does not have.",
                        null);
            }
        });
        return inspected;
    }

    /** A column of later files only: what older rows have in it is in no file, NULL is a guess. */
    private static String added(List<String> columns) {
        String names = String.join(", ", columns);
        return columns.isEmpty()
                ? ""
                : "; no file tells what older rows have in new columns: leave them out with"
                        + " exclude: [" + names + "] in the job file, then go on; or let every file"
                        + " tell them, under the name of another job and into another target";
    }

    /**
     * Makes sure that files are what they were when they were taken. Only one that was written
     * since is read anew.
     *
     * @throws WeirException {@link ErrorCode#LOG_FILE_CHANGED}
     */
    void requireKept(Map<String, FoundFile> found, Map<String, TakenFile> known) {
        for (TakenFile file : known.values()) {
            FoundFile now = found.get(file.path());
            if (now == null) {
                throw changed(file, "it is gone");
            }
            boolean written =
                    now.bytes() != file.bytes() || !now.modifiedAt().equals(file.modifiedAt());
            if (written && !engine.checksums(List.of(now.path())).get(0).equals(file.checksum())) {
                throw changed(
                        file,
                        "it has other content than when it was taken (bytes=" + now.bytes()
                                + ", taken=" + file.bytes() + ", modified=" + now.modifiedAt()
                                + ")");
            }
        }
    }

    private WeirException changed(TakenFile file, String reason) {
        return new WeirException(
                ErrorCode.LOG_FILE_CHANGED,
                "Cannot trust file " + outside.directory().resolve(file.path()) + " of table "
                        + table + ": " + reason,
                "Put it back as it was, then run weir continue TABLE --reason TEXT.",
                null);
    }
}
