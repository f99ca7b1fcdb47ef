package io.weir.flow.replicate;

import io.weir.capture.Capture;
import io.weir.capture.ChangeStream;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.engine.Engine;
import io.weir.flow.changelog.ChangeLogs;
import io.weir.flow.changelog.LogSettings;
import io.weir.flow.changelog.LogStep;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaState;
import io.weir.source.SourceTable;
import io.weir.table.LakeCatalog;
import io.weir.table.LogTable;
import io.weir.table.ReplicaTable;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The change logs of a job: which there are, and the stream that fills them. */
final class LogKeeping implements AutoCloseable {
    private final SourceTables tables;
    private final ReplicaBooks books;
    private final Hold hold;
    private final LakeCatalog catalog;
    private final Engine engine;
    private final Capture capture;
    private final ReplicateSettings settings;
    private final Duration ageMax;
    private final InstantSource clock;
    private final ReplicateListener listener;
    private final Map<String, LogTable> logs = new LinkedHashMap<>();
    private final Map<String, Grown> grown = new HashMap<>();
    private Map<String, Integer> generations = Map.of();
    private volatile Map<String, RowSchema> known = Map.of();
    private Map<String, RowSchema> noted = Map.of();
    private @Nullable CaptureLoop loop;

    /**
     * Wires it; nothing is opened yet.
     *
     * @param ageMax how long a committed transaction waits for more to come
     */
    LogKeeping(
            SourceTables tables,
            ReplicaBooks books,
            Hold hold,
            LakeCatalog catalog,
            Engine engine,
            Capture capture,
            ReplicateSettings settings,
            Duration ageMax,
            InstantSource clock,
            ReplicateListener listener) {
        this.tables = tables;
        this.books = books;
        this.hold = hold;
        this.catalog = catalog;
        this.engine = engine;
        this.capture = capture;
        this.settings = settings;
        this.ageMax = ageMax;
        this.clock = clock;
        this.listener = listener;
    }

    /** Logs of all tables that may have windows, those included that are no longer filled. */
    Map<String, LogTable> logs() {
        return logs;
    }

    /** Name of a change log in the lake. */
    static String nameOf(Replica replica) {
        String log = replica.target() + "_log";
        return replica.generation() == 1 ? log : log + "_" + replica.generation();
    }

    /** Columns that a table has from a generation of its log on. */
    private record Grown(int generation, Set<String> columns) {}

    /**
     * The next log of a table has more columns. The transaction that added them may have changed
     * rows before; only this process knows which they are, after it the table stops there.
     */
    void grew(Replica replica, Set<String> columns) {
        grown.put(replica.table(), new Grown(replica.generation(), columns));
    }

    /** The log of a table that is no longer filled. */
    void look(Replica replica) {
        RowSchema rows = catalog.replica(replica.target()).rows();
        logs.put(replica.table(), catalog.prepareLog(nameOf(replica), replica.table(), rows));
    }

    /**
     * Fills the logs of exactly these tables from now on; nothing happens if it does so already.
     *
     * @throws WeirException as the source refuses; what concerns one table names it in its details
     */
    CaptureLoop keep(List<Replica> replicas) {
        Map<String, Integer> wanted = new LinkedHashMap<>();
        replicas.forEach(replica -> wanted.put(replica.table(), replica.generation()));
        CaptureLoop running = loop;
        if (running != null && wanted.equals(generations)) {
            note(replicas, known);
            return running;
        }
        close();
        List<String> names = List.copyOf(wanted.keySet());
        note(replicas, tables.check(names, known(replicas)));
        Map<String, RowSchema> schemas = new LinkedHashMap<>();
        Map<String, LogTable> kept = new LinkedHashMap<>();
        Map<String, Long> floors = new LinkedHashMap<>();
        Map<String, Set<String>> added = new LinkedHashMap<>();
        for (Replica replica : replicas) {
            RowSchema rows = rows(replica);
            long floor = floor(replica);
            schemas.put(replica.table(), rows);
            LogTable log = catalog.prepareLog(nameOf(replica), replica.table(), rows);
            long there = log.position().place();
            // What is in the log already may come again, under the columns of then.
            floors.put(replica.table(), replica.generation() == 1 ? floor : Math.max(floor, there));
            Grown last = grown.get(replica.table());
            if (last != null && last.generation() == replica.generation() && there <= floor) {
                added.put(replica.table(), last.columns());
            }
            kept.put(replica.table(), log);
            logs.put(replica.table(), log);
        }
        identify(replicas);
        known = known(replicas);
        noted = known;
        ChangeStream stream = capture.open(tables.spec(names), schemas, floors, added);
        CaptureLoop started = start(stream, kept, () -> look(names));
        loop = started;
        generations = wanted;
        return started;
    }

    /** What was changed before here is in the rows that are loaded, or will be. */
    private long floor(Replica replica) {
        LogPlace loaded = replica.loaded();
        if (replica.generation() == 1) {
            return 0;
        }
        return loaded == null ? capture.mark() : loaded.place();
    }

    /** A log that is there goes on with its columns: the first other change ends it exactly. */
    private RowSchema rows(Replica replica) {
        if (catalog.tables().contains(nameOf(replica))) {
            return catalog.loading(replica.target()).schema();
        }
        SourceTable live = tables.live(replica.table());
        try {
            return prepared(replica, live).rows();
        } catch (WeirException e) {
            throw e.with(Map.of(ChangeStream.TABLE, replica.table()));
        }
    }

    private ReplicaTable prepared(Replica replica, SourceTable live) {
        if (replica.generation() > 1 && replica.state() == ReplicaState.LOADING) {
            // Its rows and these columns are shown together.
            catalog.announce(replica.target(), live.columns(), live.primaryKey());
        } else if (replica.generation() > 1) {
            ReplicaTable target = catalog.replica(replica.target());
            target.addColumns(tables.added(replica.table(), target.rows()).columns());
        }
        return catalog.prepareReplica(
                replica.target(),
                live.columns(),
                live.primaryKey(),
                tables.named(replica.table()).partitionBy());
    }

    /**
     * By table, the columns that its rows come from, or will; those of a table that is to be loaded
     * are noted with its change log.
     */
    private Map<String, RowSchema> known(List<Replica> replicas) {
        List<String> there = catalog.tables();
        Map<String, RowSchema> known = new HashMap<>();
        for (Replica replica : replicas) {
            if (replica.state() != ReplicaState.LOADING) {
                known.put(replica.table(), catalog.replica(replica.target()).rows());
            } else if (there.contains(nameOf(replica))) {
                known.put(replica.table(), catalog.loading(replica.target()).schema());
            }
        }
        return known;
    }

    /** Called by the thread that keeps the logs. */
    private void look(List<String> names) {
        known = tables.check(names, known);
    }

    /**
     * Keeps what the source said of columns, so that what harms no value adds up to nothing that
     * might. Only between windows, which commit to the targets, too. What fails is done again with
     * the next window, which tells the failure if it lasts.
     */
    private void note(List<Replica> replicas, Map<String, RowSchema> seen) {
        if (seen.equals(noted)) {
            return;
        }
        boolean all = true;
        for (Replica replica : replicas) {
            RowSchema rows = seen.get(replica.table());
            if (rows != null && replica.state() != ReplicaState.LOADING) {
                try {
                    catalog.replica(replica.target()).mark(rows.columns());
                } catch (WeirException e) {
                    all = false;
                }
            }
        }
        if (all) {
            noted = seen;
        }
    }

    /** Columns of which a target does not say what its rows come from are taken as they are now. */
    private void identify(List<Replica> replicas) {
        for (Replica replica : replicas) {
            Set<String> unknown = catalog.loading(replica.target()).schema().columns().stream()
                    .filter(column -> column.sourceMark() == null)
                    .map(Column::name)
                    .collect(Collectors.toSet());
            if (!unknown.isEmpty()) {
                List<Column> live = tables.live(replica.table()).columns().stream()
                        .filter(column -> unknown.contains(column.name()))
                        .toList();
                catalog.replica(replica.target()).mark(live);
            }
        }
    }

    private CaptureLoop start(ChangeStream stream, Map<String, LogTable> kept, Runnable check) {
        LogSettings how = new LogSettings(settings.logRowsMax(), ageMax, settings.buffers());
        Relay relay = new Relay();
        ChangeLogs keeper = new ChangeLogs(stream, kept, engine, how, clock, check, relay::step);
        relay.keeper = keeper;
        return CaptureLoop.start(stream, keeper, relay::to);
    }

    /** Tells the books and the loop how far the logs are, before the source may forget it. */
    private final class Relay {
        private @Nullable ChangeLogs keeper;
        private @Nullable CaptureLoop loop;

        void to(CaptureLoop target) {
            loop = target;
        }

        void step(LogStep step) {
            ChangeLogs from = keeper;
            CaptureLoop target = loop;
            if (from == null || target == null) {
                return;
            }
            if (step == LogStep.KEPT) {
                books.captured(hold, Places.of(from.kept()));
            } else if (step == LogStep.CONFIRMED) {
                LogPlace place = Places.of(from.kept());
                target.reached(place);
                listener.captured(place);
            }
            listener.step(step);
        }
    }

    @Override
    public void close() {
        CaptureLoop running = loop;
        loop = null;
        generations = Map.of();
        if (running != null) {
            running.close();
        }
    }
}
