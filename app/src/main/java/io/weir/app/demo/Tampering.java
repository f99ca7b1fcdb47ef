package io.weir.app.demo;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.flow.load.LoadListener;
import io.weir.flow.load.PartitionProgress;
import io.weir.table.LocalFileIO;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Changes one value of one staged file, before the audit looks at it: what the demo must catch. */
final class Tampering implements LoadListener {
    private final LoadListener next;
    private String tampered = "";

    Tampering(LoadListener next) {
        this.next = next;
    }

    /** Name of the file that was changed. */
    String fileName() {
        return tampered;
    }

    @Override
    public void planned(Run run, List<PartitionProgress> partitions) {
        next.planned(run, partitions);
    }

    @Override
    public void progressed(RunId runId, List<PartitionProgress> partitions) {
        next.progressed(runId, partitions);
    }

    @Override
    public void extracted(Run run) {
        next.extracted(run);
    }

    @Override
    public void audited(Run run) {
        next.audited(run);
    }

    @Override
    public void published(Run run) {
        next.published(run);
    }

    @Override
    public void staged(Run run, List<String> paths) {
        next.staged(run, paths);
        Path file = LocalFileIO.pathOf(paths.get(0));
        change(file);
        tampered = file.getFileName().toString();
    }

    @Override
    public void ended(Run run) {
        next.ended(run);
    }

    private static void change(Path file) {
        Path changed = file.resolveSibling("tampered.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("copy (select * replace (if(id = (select min(id) from "
                    + scan(file)
                    + "), amount + 1, amount)::decimal(12, 2) as amount) from "
                    + scan(file)
                    + ") to '"
                    + changed
                    + "' (format parquet, compression zstd, field_ids {"
                    + fieldIds(statement, file)
                    + "})");
            Files.move(changed, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (SQLException | IOException e) {
            throw new WeirException(
                    ErrorCode.INTERNAL, "Cannot tamper with " + file + ": " + e.getMessage(), e);
        }
    }

    private static String fieldIds(Statement statement, Path file) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("select name, field_id from parquet_schema('"
                + file
                + "') where field_id is not null")) {
            while (rows.next()) {
                ids.add("\"" + rows.getString(1) + "\": " + rows.getInt(2));
            }
        }
        return String.join(", ", ids);
    }

    private static String scan(Path file) {
        return "read_parquet('" + file + "')";
    }
}
