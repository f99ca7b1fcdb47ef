package io.weir.flow.replicate;

import io.weir.capture.Capture;
import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeStream;
import io.weir.capture.SlotSnapshot;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.metric.MetricName;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.flow.load.LoadFlow;
import io.weir.flow.load.LoadJob;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.Replication;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.source.TableSpec;
import io.weir.table.LakeCatalog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings the rows that tables begin with into the lake: all at the state at which the slot begins,
 * or, once there is a slot, at a state of their own whose place in the log is known exactly.
 */
final class InitialLoad {
    private static final int RUNS_LOOKED_AT = 1_000;

    private final ReplicateJob job;
    private final Map<String, ReplicateTable> tables;
    private final ReplicaBooks books;
    private final Hold hold;
    private final Ledger ledger;
    private final LakeCatalog catalog;
    private final LoadFlow loads;
    private final Capture capture;
    private final Source source;
    private final ReplicateListener listener;

    /**
     * Wires it.
     *
     * @param tables by qualified name
     */
    InitialLoad(
            ReplicateJob job,
            Map<String, ReplicateTable> tables,
            ReplicaBooks books,
            Hold hold,
            Ledger ledger,
            LakeCatalog catalog,
            LoadFlow loads,
            Capture capture,
            Source source,
            ReplicateListener listener) {
        this.job = job;
        this.tables = tables;
        this.books = books;
        this.hold = hold;
        this.ledger = ledger;
        this.catalog = catalog;
        this.loads = loads;
        this.capture = capture;
        this.source = source;
        this.listener = listener;
    }

    /** Whether the slot is there and its place is in the books. */
    static boolean hasSlot(Replication replication) {
        LogPlace begun = replication.begun();
        return begun != null && begun.place() > 0;
    }

    /**
     * Creates the slot and loads the tables exactly where it begins. What fails leaves no slot.
     *
     * @throws WeirException as the load, the slot or the settings of the source say; a value that
     *     cannot be held names its table in the details: without that table the others can begin
     */
    void withNewSlot(Replication replication, List<Replica> waiting) {
        CaptureSpec spec = spec(waiting);
        if (job.initial() == Initial.FROM_TABLE) {
            fromTables(spec, waiting);
            return;
        }
        if (replication.begun() != null) {
            // The wish to create it is in the books, and that it was not there then: it is ours.
            capture.dropSlot(spec);
        } else if (capture.hasSlot(spec)) {
            throw new WeirException(
                    ErrorCode.CAPTURE_SLOT_BUSY,
                    "Cannot begin job " + job.name() + ": the source has a replication slot of its"
                            + " name that the books do not know (slot=" + job.slot() + ")",
                    "Name another slot in the job file, or drop it: SELECT"
                            + " pg_drop_replication_slot('" + job.slot() + "');",
                    null);
        }
        books.begin(hold, LogPlace.START);
        try (SlotSnapshot state = capture.handOver(spec)) {
            books.begin(hold, placeOf(state));
            begin(state, waiting);
        } catch (WeirException e) {
            throw undone(spec, ofItsTable(e, waiting));
        }
    }

    private static WeirException ofItsTable(WeirException cause, List<Replica> waiting) {
        if (cause.code() != ErrorCode.SOURCE_VALUE_UNREPRESENTABLE) {
            return cause;
        }
        return waiting.stream()
                .filter(replica -> replica.target().equals(cause.details().get(LoadFlow.TARGET)))
                .findFirst()
                .map(replica -> cause.with(Map.of(ChangeStream.TABLE, replica.table())))
                .orElse(cause);
    }

    /** The rows are there; the slot was made before they were read, by whoever read them. */
    private void fromTables(CaptureSpec spec, List<Replica> waiting) {
        long begin = capture.slotPlace(spec);
        LogPlace asOf = job.asOf();
        if (asOf != null && asOf.place() < begin) {
            throw new WeirException(
                    ErrorCode.CAPTURE_SLOT_LOST,
                    "Cannot begin job " + job.name() + ": the slot begins behind the state that"
                            + " the tables are in (slot=" + job.slot() + ", begin=" + begin
                            + ", as-of=" + asOf.place() + ")",
                    "Create the slot first, then load the tables with row-hash: true.",
                    null);
        }
        LogPlace at = asOf == null ? lastBefore(spec, waiting, begin) : asOf;
        for (Replica replica : waiting) {
            catalog.replica(replica.target()).begin(Places.of(at), asOf != null);
        }
        books.begin(hold, new LogPlace(begin, "place " + begin));
        waiting.forEach(replica -> listener.loaded(books.loaded(hold, replica.table(), at, null)));
    }

    /** Where the log is at the time of the tables, or where it begins if nobody knows the time. */
    private LogPlace lastBefore(CaptureSpec spec, List<Replica> waiting, long begin) {
        LogPlace first = new LogPlace(begin, "place " + begin);
        Instant time = job.asOfTime();
        if (time == null) {
            return first;
        }
        Map<String, RowSchema> schemas = new HashMap<>();
        waiting.forEach(replica ->
                schemas.put(replica.table(), catalog.replica(replica.target()).rows()));
        long end = capture.mark();
        try (ChangeStream stream = capture.open(spec, schemas)) {
            return TimeInLog.lastBefore(stream, first, time, end);
        }
    }

    /** Nothing was loaded at the slot, so it would keep the log of the source for nobody. */
    private WeirException undone(CaptureSpec spec, WeirException cause) {
        boolean loaded =
                books.replicas(hold.job()).stream().anyMatch(replica -> replica.verified() != null);
        if (!loaded) {
            try {
                capture.dropSlot(spec);
                books.begin(hold, null);
            } catch (WeirException e) {
                cause.addSuppressed(e);
            }
        }
        return cause;
    }

    /**
     * Loads tables beside the stream, whose logs are kept already; each for itself, so that one
     * that cannot be loaded keeps no other.
     *
     * @throws WeirException what concerns one table names it in its details
     */
    void besideTheStream(Replication replication, List<Replica> waiting) {
        for (Replica replica : waiting) {
            if (!adopted(replication, replica)) {
                besideTheStream(replica);
            }
        }
    }

    private void besideTheStream(Replica replica) {
        try (SlotSnapshot state = capture.snapshot(spec(List.of(replica)))) {
            begin(state, List.of(replica));
        } catch (WeirException e) {
            throw Stops.isOfTheProcess(e) || Stops.isPassing(e)
                    ? e
                    : e.with(Map.of(ChangeStream.TABLE, replica.table()));
        }
    }

    /** The process may have ended between the last run of the load and the books of replication. */
    private boolean adopted(Replication replication, Replica replica) {
        LogPlace begun = replication.begun();
        if (begun == null || replica.generation() > 1) {
            return false;
        }
        for (Run run : ledger.runs(new RunFilter(job.name(), false, RUNS_LOOKED_AT))) {
            if (run.businessKey().equals(begun.position())
                    && run.target().equals(replica.target())
                    && run.state() == RunState.SUCCESS) {
                begin(replica, begun, run);
                return true;
            }
        }
        return false;
    }

    private CaptureSpec spec(List<Replica> waiting) {
        return job.spec(
                waiting.stream().map(this::table).map(ReplicateTable::spec).toList());
    }

    private ReplicateTable table(Replica replica) {
        ReplicateTable table = tables.get(replica.table());
        if (table == null) {
            throw new IllegalStateException("No table " + replica.table() + " in the job");
        }
        return table;
    }

    private static LogPlace placeOf(SlotSnapshot state) {
        return new LogPlace(state.place(), state.position().text());
    }

    private void begin(SlotSnapshot state, List<Replica> waiting) {
        boolean rebuilt = waiting.stream().anyMatch(replica -> replica.generation() > 1);
        if (job.initial() == Initial.LOG_ONLY && !rebuilt) {
            empty(state, waiting);
        } else {
            load(state, waiting);
        }
    }

    /** The log tells every row, if there was none when the slot began. */
    private void empty(SlotSnapshot state, List<Replica> waiting) {
        List<TableSpec> specs =
                waiting.stream().map(this::table).map(ReplicateTable::spec).toList();
        LogPlace at = placeOf(state);
        try (SourceSnapshot rows = new JoinedSource(source, state).openSnapshot(specs, 0)) {
            for (Replica replica : waiting) {
                ReplicateTable table = table(replica);
                String count = rows.expectation(table.spec(), List.of(MetricName.ROW_COUNT))
                        .get(0)
                        .value();
                if (!"0".equals(count)) {
                    throw new WeirException(
                            ErrorCode.CONFIG_INVALID,
                            "Cannot replicate table " + replica.table() + " from its log alone: it"
                                    + " had rows before the slot (rows=" + count + ")",
                            "Write initial: snapshot in the job file.",
                            null);
                }
                SourceTable found = rows.table(table.spec());
                catalog.prepareReplica(
                        table.target(), found.columns(), found.primaryKey(), table.partitionBy());
            }
        }
        for (Replica replica : waiting) {
            catalog.replica(replica.target()).begin(Places.of(at), true);
            listener.loaded(books.loaded(hold, replica.table(), at, null));
        }
    }

    private void load(SlotSnapshot state, List<Replica> waiting) {
        List<LoadJob> jobs = new ArrayList<>();
        for (Replica replica : waiting) {
            ReplicateTable table = table(replica);
            jobs.add(LoadJob.replica(
                    job.name(), job.source(), table.spec(), table.target(), table.partitionBy()));
        }
        LogPlace at = placeOf(state);
        List<RunDetail> runs =
                loads.load(new JoinedSource(source, state), jobs, at.position(), listener.loads());
        for (RunDetail detail : runs) {
            for (Replica replica : waiting) {
                if (replica.target().equals(detail.run().target())) {
                    begin(replica, at, detail.run());
                }
            }
        }
    }

    private void begin(Replica replica, LogPlace at, Run run) {
        catalog.replica(replica.target()).begin(Places.of(at), true);
        listener.loaded(books.loaded(hold, replica.table(), at, run.id()));
    }
}
