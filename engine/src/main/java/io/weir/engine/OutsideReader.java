package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads outside logs: Parquet files of changes that others wrote. May be used by several threads.
 *
 * <p>All calls throw {@link WeirException}: ENGINE_FAILED, DISK_FULL, INTERRUPTED; further codes
 * are named at the call.
 */
public final class OutsideReader {
    private final Function<String, ReadingSession> sessions;

    OutsideReader(Function<String, ReadingSession> sessions) {
        this.sessions = sessions;
    }

    /**
     * What files hold, in the order given.
     *
     * @throws WeirException {@link ErrorCode#FILE_UNREADABLE} for the first one that is no whole
     *     Parquet file; {@link ErrorCode#LOG_UNFIT} with everything that is wrong with its columns;
     *     {@link ErrorCode#LOG_CHANGE_INVALID} for a position that is none
     */
    public List<OutsideFile> inspect(List<Path> files, OutsideColumns columns) {
        List<OutsideFile> found = new ArrayList<>();
        try (ReadingSession reading = sessions.apply("read " + files.size() + " files")) {
            for (Path file : files) {
                try {
                    found.add(new Inspection(reading.session(), file, columns).file());
                } catch (SQLException e) {
                    throw DuckdbErrors.read(e, file);
                }
            }
        }
        return found;
    }

    /**
     * Opens the changes in the order in which they count: by place and ordinal. Without ordinals
     * changes of one key are next to each other, and so are a moved row and what is told of the key
     * that it had.
     *
     * @throws WeirException {@link ErrorCode#LOG_CHANGE_INVALID}
     */
    public OutsideChanges changes(OutsideRead read) {
        return OutsideChanges.open(
                sessions.apply("read the changes of " + read.files().size() + " files"), read);
    }

    /**
     * The first change that a change log of ours does not have, as text; empty if it has all.
     *
     * @param logFiles of the change log
     * @param log its columns
     * @throws WeirException {@link ErrorCode#LOG_CHANGE_INVALID}
     */
    public Optional<String> unknown(OutsideRead read, List<Path> logFiles, RowSchema log) {
        String what = "compare the changes of " + read.files().size() + " files";
        String patterns = logFiles.isEmpty() ? "" : DuckdbSql.patterns(logFiles);
        try (ReadingSession reading = sessions.apply(what)) {
            return reading
                    .session()
                    .rows(new OutsideScan(read).unknown(patterns, log.columns()))
                    .stream()
                    .map(row -> row.get(1) + " at place " + row.get(0))
                    .findFirst();
        } catch (SQLException e) {
            throw DuckdbErrors.outside(e, what);
        }
    }

    /** One look at a file. */
    private static final class Inspection {
        private final MergeSession session;
        private final Path file;
        private final OutsideColumns columns;
        private final String scan;
        private final List<String> problems = new ArrayList<>();

        Inspection(MergeSession session, Path file, OutsideColumns columns) {
            this.session = session;
            this.file = file;
            this.columns = columns;
            this.scan = "read_parquet(" + DuckdbSql.pattern(file) + ", hive_partitioning = false)";
        }

        OutsideFile file() throws SQLException {
            Map<String, String> known = describe("SELECT * FROM " + scan);
            Map<String, String> types = new LinkedHashMap<>();
            put(types, "op", columns.op(), known);
            put(types, "position", columns.position(), known);
            put(types, "ordinal", columns.ordinal(), known);
            put(types, "transaction", columns.transaction(), known);
            put(types, "committed-at", columns.committedAt(), known);
            Map<String, String> before = struct("before", columns.before(), known);
            Map<String, String> after = struct("after", columns.after(), known);
            checkTypes(types);
            if (!problems.isEmpty()) {
                throw new WeirException(
                        ErrorCode.LOG_UNFIT,
                        "Cannot read changes from file " + file + ": "
                                + String.join("; ", problems));
            }
            return measured(types, before, after);
        }

        private Map<String, String> describe(String query) throws SQLException {
            Map<String, String> types = new LinkedHashMap<>();
            for (List<@Nullable Object> row : session.rows("DESCRIBE " + query)) {
                types.put(String.valueOf(row.get(0)), String.valueOf(row.get(1)));
            }
            return types;
        }

        private void put(
                Map<String, String> types,
                String role,
                @Nullable String path,
                Map<String, String> known)
                throws SQLException {
            if (path != null) {
                String type = typeOf(path, known);
                if (type.isEmpty()) {
                    problems.add("there is no column " + path + " (" + role + ")");
                } else {
                    types.put(role, type);
                }
            }
        }

        /** Looks from struct to struct, because the engine takes names in any case. */
        private String typeOf(String path, Map<String, String> known) throws SQLException {
            int dot = path.indexOf('.');
            String type = known.getOrDefault(dot < 0 ? path : path.substring(0, dot), "");
            int end = dot;
            while (end >= 0 && type.startsWith("STRUCT(")) {
                int next = path.indexOf('.', end + 1);
                String name = next < 0 ? path.substring(end + 1) : path.substring(end + 1, next);
                type = fields(path.substring(0, end)).getOrDefault(name, "");
                end = next;
            }
            return end < 0 ? type : "";
        }

        private Map<String, String> fields(String struct) throws SQLException {
            return describe("SELECT unnest(" + OutsideScan.field(struct) + ") FROM " + scan);
        }

        private Map<String, String> struct(String role, String path, Map<String, String> known)
                throws SQLException {
            String type = typeOf(path, known);
            if (type.startsWith("STRUCT(") && !type.endsWith("]")) {
                return fields(path);
            }
            problems.add(
                    type.isEmpty()
                            ? "there is no column " + path + " (" + role + ")"
                            : "column " + path + " (" + role + ") is " + type + ", no struct");
            return Map.of();
        }

        private void checkTypes(Map<String, String> types) {
            types.forEach((role, type) -> {
                boolean whole = OutsideTypes.WHOLE.contains(type);
                boolean fits = switch (role) {
                    case "position" -> whole || type.equals("VARCHAR");
                    case "ordinal" -> whole;
                    case "committed-at" -> whole || type.startsWith("TIMESTAMP");
                    case "op" -> type.equals("VARCHAR");
                    default -> true;
                };
                if (!fits) {
                    problems.add("column " + pathOf(role) + " (" + role + ") is " + type
                            + ", must be " + wanted(role));
                }
            });
        }

        private @Nullable String pathOf(String role) {
            return switch (role) {
                case "position" -> columns.position();
                case "ordinal" -> columns.ordinal();
                case "committed-at" -> columns.committedAt();
                default -> columns.op();
            };
        }

        private static String wanted(String role) {
            return switch (role) {
                case "position" -> "a whole number or a text";
                case "ordinal" -> "a whole number";
                case "committed-at" -> "a timestamp or a whole number";
                default -> "a text";
            };
        }

        private OutsideFile measured(
                Map<String, String> types, Map<String, String> before, Map<String, String> after)
                throws SQLException {
            String position = OutsideScan.field(columns.position());
            String place = OutsideScan.place(position, types.getOrDefault("position", ""));
            String wrong = "place IS NULL OR place <= 0";
            List<@Nullable Object> row = session.rows("SELECT count(*), min(place), max(place),"
                            + " count(*) FILTER (WHERE " + wrong + "), any_value(coalesce(text,"
                            + " 'NULL')) FILTER (WHERE " + wrong + ") FROM (SELECT " + place
                            + " AS place, " + position + "::VARCHAR AS text FROM " + scan + ")")
                    .get(0);
            long invalid = MergeChanges.number(row.get(3));
            if (invalid > 0) {
                throw new WeirException(
                        ErrorCode.LOG_CHANGE_INVALID,
                        "Cannot read changes from file " + file + ": a position is neither a whole"
                                + " number above 0 nor a text such as 0/16B3748 (position="
                                + row.get(4) + ", rows=" + invalid + ")");
            }
            return new OutsideFile(
                    file,
                    types,
                    before,
                    after,
                    MergeChanges.number(row.get(0)),
                    MergeChanges.number(row.get(1)),
                    MergeChanges.number(row.get(2)));
        }
    }
}
