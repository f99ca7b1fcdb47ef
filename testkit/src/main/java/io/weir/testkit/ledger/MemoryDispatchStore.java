package io.weir.testkit.ledger;

import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.RunId;
import io.weir.ledger.dispatch.DispatchColumns;
import io.weir.ledger.dispatch.DispatchStore;
import io.weir.ledger.event.RowChange;
import io.weir.testkit.ledger.MemoryTables.Shelf;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The outbox in memory. */
public class MemoryDispatchStore implements DispatchStore {
    private static final Comparator<Dispatch> ORDER = Comparator.comparing(Dispatch::createdAt)
            .thenComparing(dispatch -> dispatch.kind().name())
            .thenComparingInt(Dispatch::cycle);

    protected final MemoryTables tables;
    private final Interference interference;

    public MemoryDispatchStore(MemoryTables tables, Interference interference) {
        this.tables = tables;
        this.interference = interference;
    }

    @Override
    public RowChange insert(Dispatch dispatch) {
        Shelf shelf = tables.shelf(dispatch.runId());
        tables.checks.require("dispatch_of_run", tables.runs.has(dispatch.runId()));
        tables.checks.require("dispatch_pk", !shelf.dispatches.has(dispatch.id()));
        tables.checks.require(
                "dispatch_once_per_cycle",
                shelf.dispatches
                        .where(other -> other.kind() == dispatch.kind()
                                && other.cycle() == dispatch.cycle())
                        .isEmpty());
        write(dispatch);
        return DispatchColumns.added(dispatch);
    }

    @Override
    public Optional<Dispatch> lock(RunId runId, UUID id) {
        return tables.shelf(runId).dispatches.get(id);
    }

    @Override
    public Optional<RowChange> update(Dispatch before, Dispatch after) {
        boolean same = lock(before.runId(), before.id())
                .filter(now -> now.state() == before.state() && now.attempts() == before.attempts())
                .isPresent();
        if (!same) {
            return Optional.empty();
        }
        write(after);
        return Optional.of(DispatchColumns.changed(before, after));
    }

    @Override
    public List<Dispatch> lockDue(Instant now, int most) {
        List<Dispatch> due = new ArrayList<>();
        for (Shelf shelf : tables.shelves()) {
            due.addAll(shelf.dispatches.where(dispatch ->
                    dispatch.state() == DispatchState.PENDING && !now.isBefore(dispatch.dueAt())));
        }
        due.sort(Comparator.comparing(Dispatch::dueAt));
        return due.stream()
                .filter(dispatch -> !interference.isLocked())
                .limit(most)
                .toList();
    }

    @Override
    public List<Dispatch> lockOpen(RunId runId) {
        return tables.shelf(runId).dispatches.where(dispatch -> dispatch.state().isOpen());
    }

    @Override
    public List<Dispatch> ofRun(RunId runId) {
        return tables.shelf(runId).dispatches.all().stream().sorted(ORDER).toList();
    }

    protected final void write(Dispatch dispatch) {
        Shelf shelf = tables.shelf(dispatch.runId());
        tables.checks.dispatch(dispatch);
        boolean second = dispatch.state().isOpen()
                && !shelf.dispatches
                        .where(other -> other.state().isOpen() && !other.id().equals(dispatch.id()))
                        .isEmpty();
        tables.checks.require("dispatch_one_open_per_run", !second);
        shelf.dispatches.put(dispatch.id(), dispatch);
        tables.touched.add(dispatch.runId());
    }
}
