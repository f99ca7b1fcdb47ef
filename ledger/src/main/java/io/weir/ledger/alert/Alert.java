package io.weir.ledger.alert;

import io.weir.core.error.ErrorCode;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.replica.ReplicaCut;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Something about a job that people are told. */
public sealed interface Alert {
    String job();

    /** When it happened. */
    Instant at();

    /**
     * The event of a table that it is about.
     *
     * @param sequence of the event in the books
     * @param table qualified name at the source
     * @param target name in the lake
     */
    record Subject(long sequence, Instant at, String job, String table, String target) {}

    /** What is told of one table. */
    sealed interface OfTable extends Alert {
        Subject subject();

        @Override
        default String job() {
            return subject().job();
        }

        @Override
        default Instant at() {
            return subject().at();
        }
    }

    /**
     * A load or a window failed, otherwise than the time before.
     *
     * @param failures in a row; from the second on a retry failed
     * @param nextAttemptAt when it is tried again
     */
    record Failed(
            Subject subject,
            long failures,
            String failure,
            @Nullable Instant nextAttemptAt) implements OfTable {}

    /**
     * Something was found that must not be published.
     *
     * @param message names the table, the key, what was expected and what was found
     * @param command what to type once the cause is mended
     * @param ending whether windows up to the end of its change log are still published
     */
    record Stopped(Subject subject, String code, String message, String command, boolean ending)
            implements OfTable {}

    /**
     * The first good window or load after failures or a stop.
     *
     * @param fromStop whether a person had to act
     * @param position up to where it is verified now
     */
    record Recovered(
            Subject subject, boolean fromStop, @Nullable String position) implements OfTable {}

    /**
     * For too long a table did not hold what the source has.
     *
     * @param current everything that was committed by then is in it
     * @param max how long ago that may be
     * @param failure why its last window failed; null if it did not
     */
    record Late(
            Subject subject,
            Instant current,
            Duration max,
            @Nullable String failure) implements OfTable {}

    /**
     * A table that was late no longer is.
     *
     * @param current everything that was committed by then is in it
     */
    record CaughtUp(Subject subject, Instant current) implements OfTable {}

    /** Whether a window is published is not known. */
    record Unknown(Subject subject, String evidence) implements OfTable {}

    /**
     * A process that replicated a job could not go on with it as a whole and ended.
     *
     * @param sequence of the event in the books
     * @param command what to do about it, as text
     */
    record JobStopped(
            long sequence, Instant at, String job, String code, String message, String command)
            implements Alert {
        private static final Set<ErrorCode> LOST =
                EnumSet.of(ErrorCode.CAPTURE_SLOT_LOST, ErrorCode.CAPTURE_SLOT_MISSING);

        /** Whether the source no longer has what the job did not read yet. */
        public boolean isSlotLost() {
            return LOST.stream().anyMatch(lost -> lost.name().equals(code));
        }
    }

    /**
     * A load ended without success, otherwise than the one before.
     *
     * @param state that the run ended in
     * @param code null if a person ended it
     */
    record LoadFailed(
            RunId run,
            Instant at,
            String job,
            String target,
            String businessKey,
            RunState state,
            @Nullable String code,
            String message)
            implements Alert {}

    /**
     * What the windows up to a cut did.
     *
     * @param since behind this time windows are counted
     * @param tables all of the job, by name
     * @param age of the cut: everything that was committed so long ago is in it
     */
    record Summary(ReplicaCut cut, Instant since, List<TableSum> tables, Duration age)
            implements Alert {
        public Summary {
            tables = List.copyOf(tables);
        }

        @Override
        public String job() {
            return cut.job();
        }

        /** When the cut closed. */
        @Override
        public Instant at() {
            Instant closed = cut.closedAt();
            return closed == null ? cut.openedAt() : closed;
        }
    }

    /**
     * What the windows of one table did.
     *
     * @param windows published
     * @param events changes that they merged
     * @param rowsIn rows that came into the table
     * @param rowsOut rows that went out of it; an update is one out and one in
     * @param lagBytes between captured and verified place in the log of the source
     * @param longest from opening to end of the slowest window
     */
    record TableSum(
            String table,
            String target,
            String state,
            long windows,
            long events,
            long rowsIn,
            long rowsOut,
            long lagBytes,
            Duration longest) {}
}
