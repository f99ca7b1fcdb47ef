package io.weir.testkit.ledger;

import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.AttemptState;
import io.weir.core.run.Cut;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.run.RunColumns;
import io.weir.ledger.run.RunRow;
import io.weir.ledger.run.RunStore;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of runs in memory. */
public class MemoryRunStore implements RunStore {
    private static final Comparator<RunRow> BY_ID =
            Comparator.comparing(row -> row.run().id().toString());
    private static final Comparator<Run> CREATION =
            Comparator.comparing(Run::createdAt).thenComparing(run -> run.id().toString());
    private static final Comparator<RunRow> BY_CREATION =
            Comparator.comparing(RunRow::run, CREATION);

    protected final MemoryTables tables;
    private final Interference interference;

    public MemoryRunStore(MemoryTables tables, Interference interference) {
        this.tables = tables;
        this.interference = interference;
    }

    @Override
    public Optional<RowChange> insert(RunRow row) {
        tables.checks.run(row);
        boolean taken = tables.runs.has(row.run().id())
                || (tables.checks.holds("run_idempotency_key_once")
                        && find(row.idempotencyKey()).isPresent())
                || (tables.checks.holds("run_one_active_per_key")
                        && active(
                                        row.run().job(),
                                        row.run().businessKey(),
                                        row.run().target())
                                .isPresent());
        if (taken) {
            return Optional.empty();
        }
        write(row);
        return Optional.of(RunColumns.added(row));
    }

    @Override
    public Optional<RowChange> update(RunRow before, RunRow after) {
        if (isMoved(before)) {
            return Optional.empty();
        }
        tables.checks.run(after);
        write(after);
        return Optional.of(RunColumns.changed(before, after));
    }

    @Override
    public boolean renew(RunRow row) {
        if (isMoved(row)) {
            return false;
        }
        // All that differs is the end of the lease.
        write(row);
        return true;
    }

    @Override
    public Optional<RunRow> find(RunId id) {
        return tables.runs.get(id);
    }

    @Override
    public Optional<RunRow> lock(RunId id) {
        return tables.runs.get(id);
    }

    @Override
    public Optional<RunRow> byIdempotencyKey(String key) {
        return find(key).filter(row -> !interference.isTooYoung(row.run().createdAt()));
    }

    @Override
    public Optional<RunRow> lockActive(String job, String businessKey, String target) {
        return active(job, businessKey, target)
                .filter(row -> !interference.isTooYoung(row.run().createdAt()));
    }

    @Override
    public Optional<RunRow> lockIfFree(RunId id) {
        return interference.isLocked() ? Optional.empty() : tables.runs.get(id);
    }

    @Override
    public List<RunRow> ofCut(UUID cutId) {
        return sorted(cut(cutId), BY_CREATION);
    }

    @Override
    public List<RunRow> publishedAfter(Run run) {
        return sorted(
                tables.runs.where(row -> row.run().target().equals(run.target())
                        && row.run().publishedSnapshotId() != null
                        && CREATION.compare(row.run(), run) > 0),
                BY_CREATION);
    }

    @Override
    public List<RunRow> lockCut(UUID cutId) {
        return sorted(cut(cutId), BY_ID);
    }

    @Override
    public List<RunId> active(int most) {
        return sorted(tables.runs.where(row -> row.run().state().isActive()), BY_CREATION).stream()
                .limit(most)
                .map(row -> row.run().id())
                .toList();
    }

    @Override
    public List<RunRow> cleanable(Instant succeeded, Instant failed, int most) {
        return tables.runs.where(row -> isCleanable(row.run(), succeeded, failed)).stream()
                .sorted(Comparator.comparing((RunRow row) -> endOf(row.run())).thenComparing(BY_ID))
                .limit(most)
                .toList();
    }

    @Override
    public List<RunRow> newest(RunFilter filter) {
        String job = filter.job();
        return tables
                .runs
                .where(row -> (job == null || job.equals(row.run().job()))
                        && (!filter.activeOnly() || row.run().state().isActive()))
                .stream()
                .sorted(Comparator.comparing((RunRow row) -> row.run().createdAt())
                        .reversed()
                        .thenComparing(BY_ID))
                .limit(filter.limit())
                .toList();
    }

    protected final void write(RunRow row) {
        tables.runs.put(row.run().id(), row);
        tables.touched.add(row.run().id());
    }

    private boolean isMoved(RunRow before) {
        return tables.runs
                .get(before.run().id())
                .filter(now -> now.run().version() == before.run().version()
                        && now.run().state() == before.run().state())
                .isEmpty();
    }

    private Optional<RunRow> find(String idempotencyKey) {
        return tables.runs.where(row -> row.idempotencyKey().equals(idempotencyKey)).stream()
                .findFirst();
    }

    private Optional<RunRow> active(String job, String businessKey, String target) {
        return tables
                .runs
                .where(row -> row.run().state().isActive()
                        && row.run().job().equals(job)
                        && row.run().businessKey().equals(businessKey)
                        && row.run().target().equals(target))
                .stream()
                .findFirst();
    }

    private List<RunRow> cut(UUID cutId) {
        return tables.runs.where(row -> {
            Cut cut = row.run().cut();
            return cut != null && cut.id().equals(cutId);
        });
    }

    private boolean isCleanable(Run run, Instant succeeded, Instant failed) {
        Instant bound = run.state() == RunState.SUCCESS ? succeeded : failed;
        return run.endedAt() != null
                && endOf(run).isBefore(bound)
                && run.cleanedAt() == null
                && tables.attempts
                        .where(row -> row.attempt().runId().equals(run.id())
                                && (row.attempt().state() == AttemptState.OPEN
                                        || row.attempt().state() == AttemptState.UNKNOWN))
                        .isEmpty();
    }

    private static Instant endOf(Run run) {
        Instant end = run.endedAt();
        return end == null ? Instant.MAX : end;
    }

    private static List<RunRow> sorted(List<RunRow> rows, Comparator<RunRow> order) {
        return rows.stream().sorted(order).toList();
    }
}
