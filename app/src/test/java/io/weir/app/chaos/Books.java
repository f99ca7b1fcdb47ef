package io.weir.app.chaos;

import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.run.Chunk;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.engine.QueryTable;
import io.weir.flow.fsck.TableCheck;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.fsck.Finding;
import io.weir.table.CatalogConfig;
import io.weir.table.FileEntry;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Ledger and lake as they are, read past the proxy. */
final class Books implements AutoCloseable {
    private static final int RUNS_MAX = 100_000;
    private static final long ENGINE_BYTES = 256L << 20;

    private final PostgresLedger ledger;
    private final LakeCatalog catalog;
    private final Engine engine;

    Books(House house) {
        this.ledger = PostgresLedger.open(
                house.url(), house.user(), house.password(), LedgerSettings.ofLease(House.LEASE));
        this.catalog = LakeCatalog.open(new CatalogConfig(
                "weir",
                house.url(),
                house.user(),
                house.password(),
                LocalFileIO.locationOf(house.directory().resolve("lake"))));
        this.engine = Engine.open(new EngineConfig(ENGINE_BYTES, 2, house.spill()));
    }

    /** Every run, each with all that is known of it. */
    List<RunDetail> runs() {
        return ledger.runs(new RunFilter(null, false, RUNS_MAX)).stream()
                .map(run -> ledger.detail(run.id()))
                .toList();
    }

    List<Run> active() {
        return ledger.runs(new RunFilter(null, true, RUNS_MAX));
    }

    /** What is known of runs that do not end. */
    String activeText() {
        return active().stream()
                .map(run -> ledger.detail(run.id()))
                .map(detail -> detail.run().id() + " " + detail.run().target() + " "
                        + detail.run().state() + " owner=" + detail.run().owner() + " lease="
                        + detail.run().leaseUntil() + " now=" + detail.now() + " partitions="
                        + detail.partitions().stream()
                                .map(partition -> partition.state().name())
                                .toList()
                        + " dispatches=" + detail.dispatches() + " attempts=" + detail.attempts())
                .collect(Collectors.joining("\n"));
    }

    LakeTable table(String target) {
        return catalog.load(target);
    }

    static List<String> paths(RunDetail detail) {
        return detail.chunks().stream()
                .map(Chunk::path)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
    }

    static List<String> paths(LakeTable table) {
        return table.filesOf(table.currentSnapshotId()).stream()
                .map(FileEntry::path)
                .sorted()
                .toList();
    }

    /** The balance of the live rows, from their files alone. */
    String measured(LakeTable table) {
        return engine.measure(local(paths(table)), table.schema(), List.of())
                .balance()
                .toString();
    }

    /** The figures of some files, in the form of {@link Shop#was}. */
    String figures(LakeTable table, List<String> paths) {
        List<Object> row = engine
                .query(
                        "select " + Shop.FIGURES + " from rows",
                        Map.of("rows", QueryTable.of(table.schema(), local(paths))))
                .rows()
                .get(0)
                .stream()
                .map(Object.class::cast)
                .toList();
        return row.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    private static List<Path> local(List<String> paths) {
        return paths.stream().map(LocalFileIO::pathOf).toList();
    }

    /** Every invariant of the ledger, and every published table against it. */
    List<Finding> fsck() {
        List<Finding> findings = new ArrayList<>(ledger.fsck());
        findings.addAll(new TableCheck(ledger, catalog, engine).check());
        return findings;
    }

    static boolean succeeded(RunDetail detail) {
        return detail.run().state() == RunState.SUCCESS;
    }

    @Override
    public void close() {
        engine.close();
        catalog.close();
        ledger.close();
    }
}
