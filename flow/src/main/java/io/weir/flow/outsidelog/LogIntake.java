package io.weir.flow.outsidelog;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.RowSchema;
import io.weir.engine.Engine;
import io.weir.engine.OutsideChange;
import io.weir.engine.OutsideChanges;
import io.weir.engine.OutsideFile;
import io.weir.engine.OutsideRead;
import io.weir.flow.changelog.ChangeLogs;
import io.weir.flow.changelog.LogSettings;
import io.weir.flow.changelog.LogStep;
import io.weir.flow.merge.LogTableFiles;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.TakenFile;
import io.weir.table.LogPosition;
import io.weir.table.LogTable;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Takes the changes of outside logs into change logs of ours. A file is entered in the books before
 * its changes are in the change log, whose own position says which of them are: so it does not
 * matter where a process ends. For one thread.
 */
public final class LogIntake {
    private final Engine engine;
    private final ReplicaBooks books;
    private final Hold hold;
    private final LogSettings settings;
    private final InstantSource clock;
    private final BooleanSupplier stop;
    private final Consumer<LogStep> listener;

    /**
     * Wires it.
     *
     * @param stop whether to end between two transactions
     * @param listener is told every step
     */
    public LogIntake(
            Engine engine,
            ReplicaBooks books,
            Hold hold,
            LogSettings settings,
            InstantSource clock,
            BooleanSupplier stop,
            Consumer<LogStep> listener) {
        this.engine = engine;
        this.books = books;
        this.hold = hold;
        this.settings = settings;
        this.clock = clock;
        this.stop = stop;
        this.listener = listener;
    }

    /**
     * Takes what the directory holds behind the position of the change log.
     *
     * @param wholeBefore whether an update must tell the whole row before
     * @param emptying whether a change log that is empty begins with a TRUNCATE
     * @return up to where the change log holds every change
     * @throws WeirException {@link ErrorCode#LOG_EMPTY}, {@link ErrorCode#LOG_UNFIT}, {@link
     *     ErrorCode#LOG_FILE_UNFINISHED}, {@link ErrorCode#LOG_FILE_CHANGED}, {@link
     *     ErrorCode#LOG_FILE_LATE}, {@link ErrorCode#LOG_CHANGE_INVALID}; what the engine and the
     *     change log say
     */
    public LogPosition take(
            OutsideLog outside,
            Replica replica,
            LogTable log,
            boolean wholeBefore,
            boolean emptying) {
        return new Intake(outside, replica, log, wholeBefore, emptying).take();
    }

    /** One table, one time. */
    private final class Intake {
        private final OutsideLog outside;
        private final Replica replica;
        private final LogTable log;
        private final boolean wholeBefore;
        private final boolean emptying;
        private final OutsideFiles files;
        private final long position;

        Intake(
                OutsideLog outside,
                Replica replica,
                LogTable log,
                boolean wholeBefore,
                boolean emptying) {
            this.outside = outside;
            this.replica = replica;
            this.log = log;
            this.wholeBefore = wholeBefore;
            this.emptying = emptying;
            this.files = new OutsideFiles(outside, replica.table(), engine);
            this.position = log.position().place();
        }

        LogPosition take() {
            Map<String, FoundFile> found = LogListing.of(outside.directory());
            Map<String, TakenFile> known = known();
            files.requireKept(found, known);
            List<FoundFile> fresh = found.values().stream()
                    .filter(file -> !known.containsKey(file.name()))
                    .toList();
            Map<String, OutsideFile> inspected = new HashMap<>(files.inspect(fresh, log.rows()));
            inspected.values().forEach(this::requireInTime);
            enter(fresh, inspected, known);
            long end = end(known);
            List<FoundFile> open = found.values().stream()
                    .filter(file -> isOpen(known.get(file.name()), end))
                    .toList();
            if (!open.isEmpty()) {
                inspected.putAll(files.inspect(
                        open.stream()
                                .filter(file -> !inspected.containsKey(file.name()))
                                .toList(),
                        log.rows()));
                append(open, inspected, end);
                files.requireKept(LogListing.of(outside.directory()), known);
            }
            return log.position();
        }

        private Map<String, TakenFile> known() {
            Map<String, TakenFile> known = new HashMap<>();
            books.taken(replica.job(), replica.table(), replica.generation())
                    .forEach(file -> known.put(file.path(), file));
            return known;
        }

        /** What lies before the position must be there already: then it is told again. */
        private void requireInTime(OutsideFile file) {
            if (file.rows() == 0 || file.first() > position) {
                return;
            }
            Optional<String> unknown = engine.outside()
                    .unknown(
                            read(List.of(file), 0, position),
                            new LogTableFiles(log).files(file.first() - 1, position),
                            log.schema());
            unknown.ifPresent(change -> {
                throw new WeirException(
                        ErrorCode.LOG_FILE_LATE,
                        "Cannot take file " + file.path() + " for table " + replica.table()
                                + ": it tells of changes before those that were taken (taken up"
                                + " to=" + log.position().text() + ", first=" + change + ")",
                        "Run weir rebuild " + replica.target()
                                + ": it takes all files anew, in the order of their positions.",
                        null);
            });
        }

        private void enter(
                List<FoundFile> fresh,
                Map<String, OutsideFile> inspected,
                Map<String, TakenFile> known) {
            if (fresh.isEmpty()) {
                return;
            }
            List<Path> paths = fresh.stream().map(FoundFile::path).toList();
            List<String> checksums = engine.checksums(paths);
            List<TakenFile> taken = new ArrayList<>();
            for (int i = 0; i < fresh.size(); i++) {
                FoundFile file = fresh.get(i);
                OutsideFile content = OutsideFiles.of(inspected, file);
                TakenFile entry = new TakenFile(
                        file.name(),
                        file.bytes(),
                        file.modifiedAt(),
                        checksums.get(i),
                        content.rows(),
                        content.first(),
                        content.last());
                taken.add(entry);
                known.put(file.name(), entry);
            }
            books.take(hold, replica.table(), replica.generation(), taken);
            listener.accept(LogStep.ENTERED);
        }

        /** The greatest position may go on in a file that is not there yet. */
        private long end(Map<String, TakenFile> known) {
            long last = known.values().stream().mapToLong(TakenFile::last).max().orElse(0);
            return outside.complete() ? last : last - 1;
        }

        private boolean isOpen(@Nullable TakenFile file, long end) {
            return file != null && file.last() > position && file.first() <= end && end > position;
        }

        private OutsideRead read(List<OutsideFile> of, long from, long to) {
            return new OutsideRead(of, outside.columns(), log.rows(), wholeBefore, from, to);
        }

        private void append(List<FoundFile> open, Map<String, OutsideFile> inspected, long end) {
            List<OutsideFile> of =
                    open.stream().map(file -> OutsideFiles.of(inspected, file)).toList();
            OutsideChanges changes = engine.outside().changes(read(of, position, end));
            try (changes) {
                OutsideChange first = changes.next();
                if (first != null) {
                    append(open, changes, first);
                }
            }
        }

        private void append(List<FoundFile> open, OutsideChanges changes, OutsideChange first) {
            RowSchema rows = log.rows();
            Map<String, Instant> modified = new HashMap<>();
            open.forEach(file -> modified.put(file.path().toString(), file.modifiedAt()));
            OutsideStream stream = new OutsideStream(
                    changes,
                    first,
                    new OutsideImages(replica.table(), rows, wholeBefore, modified),
                    replica.table(),
                    rows.key().stream().map(rows.names()::indexOf).toList(),
                    outside.columns().ordinal() != null,
                    emptying && position == 0);
            try (ChangeLogs keeper = new ChangeLogs(
                    stream,
                    Map.of(replica.table(), log),
                    engine,
                    settings,
                    clock,
                    () -> {},
                    listener)) {
                keeper.run(() -> stream.isExhausted() || stop.getAsBoolean());
            }
            if (!stream.isExhausted()) {
                throw new WeirException(
                        ErrorCode.INTERRUPTED,
                        "Cannot take every change of table " + replica.table() + ": asked to stop");
            }
        }
    }
}
