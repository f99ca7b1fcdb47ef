package io.weir.flow.replicate;

import io.weir.capture.Capture;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Outbox;
import io.weir.engine.Engine;
import io.weir.flow.changelog.LogSettings;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadFlow;
import io.weir.flow.merge.WindowMerge;
import io.weir.flow.outsidelog.LogIntake;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.Stop;
import io.weir.source.Source;
import io.weir.source.TableInspection;
import io.weir.table.LakeCatalog;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Keeps tables of the lake equal to tables of a source. One object per command; it may be used by
 * one thread.
 */
public final class ReplicateFlow {
    /** What passes by itself: the process goes on as soon as it is over. */
    private static final Set<ErrorCode> AWAITED = Set.of(
            ErrorCode.SOURCE_UNREACHABLE,
            ErrorCode.SOURCE_CONNECTION_LOST,
            ErrorCode.SOURCE_SNAPSHOT_EXPIRED,
            ErrorCode.CAPTURE_SLOT_BUSY,
            ErrorCode.CATALOG_UNREACHABLE,
            ErrorCode.LEDGER_UNREACHABLE);

    /** How long committed transactions wait for more: files of change logs are not to be small. */
    private static final Duration AGE_MAX = Duration.ofSeconds(10);

    private static final Duration AGE_CONTINUOUS = Duration.ofMillis(500);
    private static final Duration AGE_ONCE = Duration.ofMillis(100);
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    private final Ledger ledger;
    private final Outbox outbox;
    private final ReplicaBooks books;
    private final LakeCatalog catalog;
    private final Engine engine;
    private final ReplicateSettings settings;
    private final Supplier<UUID> ids;
    private final DoubleSupplier jitter;
    private final InstantSource clock;
    private final Cancellation cancellation;

    /**
     * Wires the flow.
     *
     * @param ids makes tokens
     * @param jitter 0 to 1, anew at every call
     * @param clock for ages of what waits; nothing of the books depends on it
     */
    public ReplicateFlow(
            Ledger ledger,
            Outbox outbox,
            ReplicaBooks books,
            LakeCatalog catalog,
            Engine engine,
            ReplicateSettings settings,
            Supplier<UUID> ids,
            DoubleSupplier jitter,
            InstantSource clock,
            Cancellation cancellation) {
        this.ledger = ledger;
        this.outbox = outbox;
        this.books = books;
        this.catalog = catalog;
        this.engine = engine;
        this.settings = settings;
        this.ids = ids;
        this.jitter = jitter;
        this.clock = clock;
        this.cancellation = cancellation;
    }

    /**
     * Loads what is not loaded yet and merges everything that was committed at the source before
     * the call.
     *
     * @return where every table is
     * @throws WeirException {@link ErrorCode#REPLICATION_BUSY}, {@link
     *     ErrorCode#REPLICATION_PAUSED}, and whatever concerns the job and not one of its tables
     */
    public ReplicateReport once(
            ReplicateJob job, Source source, Capture capture, ReplicateListener listener) {
        return claimed(
                captured(job, source, capture, AGE_ONCE, listener),
                listener,
                new LagWatch(books, job),
                Set.of(),
                ReplicateSession::once);
    }

    /** The same with what the outside logs of a job hold now. */
    public ReplicateReport once(OutsideJob job, ReplicateListener listener) {
        return claimed(
                outside(job, listener),
                listener,
                new LagWatch(books, job),
                Set.of(),
                ReplicateSession::once);
    }

    /**
     * Goes on until a stop is wished, the job is paused, or no table is left that may go on.
     *
     * @throws WeirException as {@link #once}; what passes by itself is waited for
     */
    public void forever(
            ReplicateJob job, Source source, Capture capture, ReplicateListener listener) {
        Duration age = job.isContinuous() ? AGE_CONTINUOUS : AGE_MAX;
        forever(job, () -> captured(job, source, capture, age, listener), listener);
    }

    /** The same with outside logs. */
    public void forever(OutsideJob job, ReplicateListener listener) {
        forever(job, () -> outside(job, listener), listener);
    }

    private void forever(ReplicatedJob job, Supplier<Claim> claim, ReplicateListener listener) {
        LagWatch watch = new LagWatch(books, job);
        Duration pause = PAUSE_MIN;
        while (!cancellation.isRequested()) {
            try {
                claimed(claim.get(), listener, watch, AWAITED, session -> {
                    session.forever();
                    return true;
                });
                return;
            } catch (WeirException e) {
                if (!AWAITED.contains(e.code())) {
                    throw e;
                }
                listener.waiting(e);
            }
            if (cancellation.await(pause)) {
                return;
            }
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : doubled;
        }
    }

    /** Work under one claim of the job. */
    @FunctionalInterface
    private interface Work<T> {
        T with(ReplicateSession session);
    }

    /** Opens what a claimed job learns of changes by. */
    @FunctionalInterface
    private interface Opening {
        LogOrigin open(JobLease lease, WindowRound round);
    }

    /** What a job is claimed with, and what comes then. */
    private record Claim(
            ReplicatedJob job,
            String source,
            String slot,
            Map<String, String> targets,
            Opening opening) {}

    private <T> T claimed(
            Claim claim,
            ReplicateListener listener,
            LagWatch watch,
            Set<ErrorCode> awaited,
            Work<T> work) {
        ReplicatedJob job = claim.job();
        Hold hold = books.claim(
                job.name(),
                claim.source(),
                claim.slot(),
                claim.targets(),
                ids.get(),
                settings.load().name(),
                settings.load().lease());
        try (JobLease lease = JobLease.start(books, hold, settings.load().lease(), watch)) {
            watch.look(hold);
            WindowRound round = round(job, hold, listener);
            return entered(
                    hold,
                    awaited,
                    work,
                    new ReplicateSession(
                            job,
                            books,
                            lease,
                            claim.opening().open(lease, round),
                            round,
                            watch,
                            clock,
                            cancellation));
        }
    }

    /** What ends the job as a whole is in the books, so that people can be told. */
    private <T> T entered(
            Hold hold, Set<ErrorCode> awaited, Work<T> work, ReplicateSession session) {
        try {
            return work.with(session);
        } catch (WeirException e) {
            if (!awaited.contains(e.code()) && !Stops.isOfTheProcess(e)) {
                try {
                    books.stopped(hold, new Stop(e.code().name(), e.text(), e.hint()));
                } catch (WeirException untold) {
                    e.addSuppressed(untold);
                }
            }
            throw e;
        }
    }

    private Claim captured(
            ReplicateJob job,
            Source source,
            Capture capture,
            Duration ageMax,
            ReplicateListener listener) {
        Map<String, ReplicateTable> tables = named(job, source);
        Map<String, String> targets = new LinkedHashMap<>();
        tables.forEach((name, table) -> targets.put(name, table.target()));
        return new Claim(job, job.source(), job.slot(), targets, (lease, round) -> {
            SourceTables sourceTables = new SourceTables(job, tables, source, capture);
            Hold hold = lease.hold();
            return new CapturedLogs(
                    job,
                    books,
                    lease,
                    initial(job, tables, hold, source, capture, listener),
                    sourceTables,
                    catalog,
                    logs(sourceTables, hold, capture, ageMax, listener),
                    round,
                    capture,
                    listener,
                    cancellation);
        });
    }

    private Claim outside(OutsideJob job, ReplicateListener listener) {
        Map<String, String> targets = new LinkedHashMap<>();
        job.tables().forEach(table -> targets.put(table.name(), table.target()));
        LogSettings how = new LogSettings(settings.logRowsMax(), AGE_MAX, settings.buffers());
        return new Claim(
                job,
                OutsideJob.SOURCE,
                job.name(),
                targets,
                (lease, round) -> new OutsideLogs(
                        job,
                        books,
                        lease,
                        catalog,
                        new OutsideBeginning(job, catalog, engine),
                        new LogIntake(
                                engine,
                                books,
                                lease.hold(),
                                how,
                                clock,
                                cancellation::isRequested,
                                listener::step),
                        jitter,
                        listener));
    }

    private InitialLoad initial(
            ReplicateJob job,
            Map<String, ReplicateTable> tables,
            Hold hold,
            Source source,
            Capture capture,
            ReplicateListener listener) {
        LoadFlow loads =
                new LoadFlow(ledger, outbox, catalog, engine, settings.load(), ids, cancellation);
        return new InitialLoad(
                job, tables, books, hold, ledger, catalog, loads, capture, source, listener);
    }

    private LogKeeping logs(
            SourceTables tables,
            Hold hold,
            Capture capture,
            Duration ageMax,
            ReplicateListener listener) {
        return new LogKeeping(
                tables, books, hold, catalog, engine, capture, settings, ageMax, clock, listener);
    }

    private WindowRound round(ReplicatedJob job, Hold hold, ReplicateListener listener) {
        TableMerge merge = new TableMerge(
                books,
                hold,
                catalog,
                new WindowMerge(engine),
                job.merge(),
                job.cutsKept(),
                ids,
                listener);
        return new WindowRound(books, hold, merge, engine.mergeShare(), settings, jitter, listener);
    }

    /**
     * The tables by qualified name. One that can no longer be read keeps its name in the books: it
     * stops alone.
     */
    private Map<String, ReplicateTable> named(ReplicateJob job, Source source) {
        Map<String, String> known = new HashMap<>();
        if (books.replications().stream().anyMatch(row -> row.job().equals(job.name()))) {
            books.replicas(job.name()).forEach(row -> known.put(row.target(), row.table()));
        }
        Map<String, ReplicateTable> tables = new LinkedHashMap<>();
        for (ReplicateTable table : job.tables()) {
            TableInspection inspection = source.inspect(table.spec());
            String name = inspection.table() == null ? known.get(table.target()) : null;
            tables.put(name == null ? inspection.tableOrThrow().qualifiedName() : name, table);
        }
        return tables;
    }
}
