package io.weir.flow.changelog;

import io.weir.capture.Capture;
import io.weir.capture.CaptureSpec;
import io.weir.capture.Captures;
import io.weir.capture.ChangeStream;
import io.weir.core.row.Balance;
import io.weir.core.row.RowSchema;
import io.weir.core.run.KeyRange;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.engine.QueryTable;
import io.weir.source.PartitionRows;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.source.Sources;
import io.weir.source.SplitOptions;
import io.weir.source.TableSpec;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;
import io.weir.table.LocalFileIO;
import io.weir.table.LogTable;
import io.weir.testkit.postgresql.TestDatabase;

import org.apache.arrow.vector.ipc.ArrowReader;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A source with tables that are published, and a lake with their logs. */
final class LogHouse implements AutoCloseable {
    static final List<String> TABLES = List.of("a", "b", "c");

    final TestDatabase source;
    final LakeCatalog catalog;
    final Engine engine;
    final CaptureSpec spec;
    final Capture capture;
    private final SourceConfig config;
    private final Path directory;

    /** Enough for the questions that tests ask. */
    static final long ENGINE_BYTES = 1L << 30;

    /** What is there already: for programs that share a house. */
    LogHouse(TestDatabase source, TestDatabase books, Path directory, long engineBytes) {
        this.source = source;
        this.directory = directory;
        this.config = new SourceConfig("shop", source.url(), source.user(), source.password());
        this.capture = Captures.of(config);
        this.catalog = LakeCatalog.open(new CatalogConfig(
                "weir",
                books.url(),
                books.user(),
                books.password(),
                LocalFileIO.locationOf(directory.resolve("lake"))));
        this.engine = Engine.open(new EngineConfig(engineBytes, 2, directory.resolve("tmp")));
        this.spec = new CaptureSpec(
                "weir_pub",
                "slot_" + source.name(),
                TABLES.stream().map(name -> TableSpec.of("public." + name)).toList(),
                CaptureSpec.Identity.FULL,
                CaptureSpec.SLOT_BYTES_MAX);
    }

    /** Creates the tables, what counts their changes apart from the log, and the slot. */
    static void furnish(TestDatabase source) {
        source.execute("""
                create table audit (seq bigserial primary key, tab text, op text,
                    before text, after text);
                create function note() returns trigger language plpgsql as $$
                begin
                    if tg_op = 'TRUNCATE' then
                        insert into audit (tab, op) values (tg_table_name, 'truncate');
                    elsif tg_op = 'INSERT' then
                        insert into audit (tab, op, after)
                        values (tg_table_name, 'insert', new.id || ':' || new.version);
                    elsif tg_op = 'DELETE' or old.id <> new.id then
                        insert into audit (tab, op, before)
                        values (tg_table_name, 'delete', old.id || ':' || old.version);
                        if tg_op = 'UPDATE' then
                            insert into audit (tab, op, after)
                            values (tg_table_name, 'insert', new.id || ':' || new.version);
                        end if;
                    else
                        insert into audit (tab, op, before, after)
                        values (tg_table_name, 'update', old.id || ':' || old.version,
                            new.id || ':' || new.version);
                    end if;
                    return null;
                end $$
                """);
        for (String table : TABLES) {
            source.execute(
                    "create table " + table + " (id int primary key, version bigint not null,"
                            + " price numeric(8,2), code uuid, pad text)",
                    "alter table " + table + " replica identity full",
                    "create trigger rows after insert or update or delete on " + table
                            + " for each row execute function note()",
                    "create trigger whole after truncate on " + table
                            + " for each statement execute function note()");
        }
        source.execute("create publication weir_pub for table " + String.join(", ", TABLES));
    }

    /** The logs by the names of their tables, prepared if need be. */
    Map<String, LogTable> logs() {
        Map<String, LogTable> logs = new LinkedHashMap<>();
        for (SourceTable table : sourceTables()) {
            String name = table.qualifiedName();
            logs.put(
                    name,
                    catalog.prepareLog(
                            "sales." + name.substring("public.".length()) + "_log",
                            name,
                            table.schema()));
        }
        return logs;
    }

    private List<SourceTable> sourceTables() {
        try (Source tables = Sources.open(config)) {
            List<SourceTable> found = new ArrayList<>();
            spec.tables().forEach(table -> found.add(tables.inspect(table).tableOrThrow()));
            return found;
        }
    }

    ChangeStream stream() {
        Map<String, RowSchema> schemas = new LinkedHashMap<>();
        sourceTables().forEach(table -> schemas.put(table.qualifiedName(), table.schema()));
        return capture.open(spec, schemas);
    }

    ChangeLogs keeper(ChangeStream stream, LogSettings settings, Consumer<LogStep> listener) {
        return new ChangeLogs(
                stream,
                logs(),
                engine,
                settings,
                InstantSource.system(),
                () -> capture.check(spec).stream().findFirst().ifPresent(refusal -> {
                    throw refusal.exception();
                }),
                listener);
    }

    LogSettings settings(long rowsMax, Duration ageMax) {
        return new LogSettings(rowsMax, ageMax, directory.resolve("buffers"));
    }

    /** Keeps the logs until everything that is committed at the source now is in them. */
    void catchUp() {
        long until = place(source.text("select pg_current_wal_insert_lsn()::text"));
        source.execute("insert into c values (-1, 0), (-2, 0)", "delete from c where id < 0");
        keepUntil(settings(1_000_000, Duration.ZERO), until, step -> {});
    }

    /** Keeps the logs until a transaction behind a place is confirmed. */
    void keepUntil(LogSettings settings, long place, Consumer<LogStep> listener) {
        try (ChangeStream stream = stream();
                ChangeLogs keeper = keeper(stream, settings, listener)) {
            BooleanSupplier stop = () -> keeper.confirmedPlace() > place;
            keeper.run(stop);
        }
    }

    static long place(String lsn) {
        int slash = lsn.indexOf('/');
        return (Long.parseLong(lsn.substring(0, slash), 16) << 32)
                + Long.parseLong(lsn.substring(slash + 1), 16);
    }

    /** What a query over the logs answers, each row with spaces between its values. */
    List<String> query(String sql) {
        Map<String, QueryTable> tables = new LinkedHashMap<>();
        logs().values()
                .forEach(log -> tables.put(
                        log.target(),
                        QueryTable.of(
                                log.schema(),
                                log.files().stream()
                                        .map(file -> Path.of(URI.create(file.path())))
                                        .toList())));
        return engine.query(sql, tables).rows().stream()
                .map(row -> String.join(" ", row.stream().map(String::valueOf).toList()))
                .toList();
    }

    /** The changes in the log of a table, in its order. */
    List<String> logged(String table) {
        return query("select op || ' ' || coalesce(before.id || ':' || before.version, '-') || ' '"
                + " || coalesce(after.id || ':' || after.version, '-')"
                + " from sales." + table + "_log order by place, ordinal");
    }

    /** The changes of a table as the source counted them itself, in the order of one writer. */
    List<String> audited(String table) {
        String found = source.text("select string_agg(op || ' ' || coalesce(before, '-') || ' ' ||"
                + " coalesce(after, '-'), ',' order by seq) from audit where tab = '" + table
                + "'");
        return found == null ? List.of() : List.of(found.split(",", -1));
    }

    /** The balance of a table at a snapshot of its own. */
    Balance balance(String name) throws IOException {
        TableSpec table = TableSpec.of(name);
        Balance sum = Balance.ZERO;
        try (Source tables = Sources.open(config);
                SourceSnapshot snapshot = tables.openSnapshot(List.of(table), 1)) {
            RowSchema schema = snapshot.table(table).schema();
            for (KeyRange range : snapshot.split(table, SplitOptions.DEFAULTS)) {
                sum = sum.plus(balance(snapshot.reader(0).read(name, schema, range)));
            }
        }
        return sum;
    }

    private static Balance balance(PartitionRows partition) throws IOException {
        Balance sum = Balance.ZERO;
        try (partition) {
            while (!partition.exhausted()) {
                try (ArrowReader chunk = partition.nextChunk(ENGINE_BYTES)) {
                    while (chunk.loadNextBatch()) {
                        chunk.getVectorSchemaRoot().clear();
                    }
                }
                sum = sum.plus(partition.totals().balance());
            }
        }
        return sum;
    }

    void dropSlot() {
        source.execute("select pg_drop_replication_slot('" + spec.slot() + "')");
    }

    @Override
    public void close() {
        catalog.close();
        engine.close();
    }
}
