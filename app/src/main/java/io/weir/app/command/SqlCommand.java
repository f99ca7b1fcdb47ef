package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.console.TextTable;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.engine.QueryResult;
import io.weir.engine.QueryTable;
import io.weir.table.FileEntry;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;
import io.weir.table.ReplicaTable;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code weir sql}: a query over the published tables. */
@Command(
        name = "sql",
        description = "Query the published tables: weir sql \"select count(*) from sales.orders\".",
        mixinStandardHelpOptions = true)
public final class SqlCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "QUERY", description = "One statement that reads.")
    private String query = "";

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        try (Composition house = ledger.compose()) {
            Map<String, QueryTable> tables = new LinkedHashMap<>();
            for (String target : house.catalog().tables()) {
                try {
                    tables.put(target, published(house, target));
                } catch (WeirException e) {
                    // One table that cannot be read must not hide the others.
                    Terminal.err(spec).println("Left out " + target + ": " + e.text());
                }
            }
            print(out, house.engine().query(query, tables));
        }
        return 0;
    }

    private static QueryTable published(Composition house, String target) {
        if (house.catalog().load(target).isReplica()) {
            ReplicaTable table = house.catalog().replica(target);
            return new QueryTable(
                    table.rows(),
                    table.filesOf(table.lake().currentSnapshotId()).stream()
                            .map(file -> new QueryTable.File(
                                    LocalFileIO.pathOf(file.file().path()), file.deleted()))
                            .toList());
        }
        LakeTable table = house.catalog().load(target);
        return QueryTable.of(
                table.schema(),
                table.filesOf(table.currentSnapshotId()).stream()
                        .map(FileEntry::path)
                        .map(LocalFileIO::pathOf)
                        .toList());
    }

    private void print(PrintWriter out, QueryResult result) {
        if (output.json()) {
            for (List<@Nullable String> row : result.rows()) {
                var json = Json.object();
                for (int i = 0; i < row.size(); i++) {
                    json.put(result.columns().get(i), row.get(i));
                }
                out.println(Json.line(json));
            }
            return;
        }
        TextTable table = new TextTable(result.columns());
        for (List<@Nullable String> row : result.rows()) {
            table.add(row.stream().map(value -> value == null ? "NULL" : value).toList());
        }
        out.print(table);
        out.println(result.rows().size()
                + (result.rows().size() == 1 ? " row" : " rows")
                + (result.truncated() ? " shown; there are more, add a limit" : ""));
    }
}
