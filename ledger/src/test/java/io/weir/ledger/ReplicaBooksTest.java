package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.row.Balance;
import io.weir.core.run.Operator;
import io.weir.core.run.RunId;
import io.weir.ledger.fsck.Finding;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaEvent;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Stop;
import io.weir.ledger.replica.TakenFile;
import io.weir.ledger.replica.WindowFigures;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class ReplicaBooksTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Balance TEN = new Balance(10, 0, 100);
    private static final Balance TWO = new Balance(2, 0, 30);
    private static final Balance THREE = new Balance(3, 0, 50);
    private static final Operator ANNA = new Operator("anna", "looked at it");

    private final PostgresLedger ledger = TestBooks.ledger();
    private final ReplicaBooks books = ledger.replicas();
    private final String job = "job-" + UUID.randomUUID();
    private final String target = "lake." + job;

    private Hold claim(Duration lease) {
        return books.claim(
                job, "shop", job, Map.of("public.t", target), UUID.randomUUID(), "host/1", lease);
    }

    private static LogPlace at(long place) {
        return new LogPlace(place, "0/" + place);
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeirException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private ReplicaWindow open(Hold hold, long to) {
        return books.openWindow(
                hold, "public.t", at(to), new RunId(UUID.randomUUID()), UUID.randomUUID(), 7);
    }

    private static WindowFigures figures(Balance closing) {
        return figures(closing, false);
    }

    private static WindowFigures figures(Balance closing, boolean allKeys) {
        return new WindowFigures(5, 1, 2, 1, 1, TEN, TWO, THREE, closing, TWO, THREE, allKeys);
    }

    private Hold running() {
        Hold hold = claim(LEASE);
        books.begin(hold, at(5));
        books.loaded(hold, "public.t", at(5), new RunId(new UUID(0, 9)));
        return hold;
    }

    @Test
    void aPublishedWindowTakesItsTableAlong() {
        Hold hold = running();
        ReplicaWindow window = open(hold, 20);
        assertThat(window.attempt().epoch()).isEqualTo(1);
        assertThat(window.from()).isEqualTo(at(5));
        Balance closing = TEN.minus(TWO).plus(THREE);
        ReplicaWindow staged = books.staged(hold, window, 8, figures(closing));
        ReplicaWindow open = books.publishing(hold, staged);
        refused(ErrorCode.TARGET_BUSY, () -> open(hold, 21));
        ReplicaWindow published = books.settled(hold, open, PublishOutcome.PUBLISHED, "main is 8");
        assertThat(published.attempt().state()).isEqualTo(AttemptState.PUBLISHED);
        assertThat(published.endedAt()).isNotNull();
        assertThat(books.replica(target).verified()).isEqualTo(at(20));
        assertThat(books.windows(job, 5)).containsExactly(published);
        assertThat(books.unsettled(job, "public.t")).isEmpty();
        assertThat(books.events(job, 20))
                .extracting(ReplicaEvent::name)
                .containsExactly(
                        "WINDOW_PUBLISHED",
                        "REPLICA_ADVANCED",
                        "WINDOW_OPENED",
                        "WINDOW_STAGED",
                        "WINDOW_OPENED",
                        "REPLICA_LOADED",
                        "REPLICATION_SLOT_CREATED",
                        "REPLICA_CREATED",
                        "REPLICATION_CLAIMED",
                        "REPLICATION_CREATED");
        assertThat(ledger.fsck().stream()
                        .filter(finding -> finding.id().startsWith("R"))
                        .toList())
                .allSatisfy(finding -> assertThat(finding.rows()).isEmpty())
                .extracting(Finding::id)
                .contains("R1", "R2");
    }

    @Test
    void filesAreEnteredOnceByTheLastClaimOnly() {
        Hold hold = running();
        TakenFile file = new TakenFile(
                "day=1/a.parquet",
                900,
                Instant.parse("2026-11-30T12:00:00.000001Z"),
                "ab",
                3,
                5,
                9);
        TakenFile other = new TakenFile(
                "day=1/a.parquet", 901, Instant.parse("2026-11-30T13:00:00Z"), "cd", 3, 5, 9);
        TakenFile empty = new TakenFile(
                "day=1/b.parquet", 100, Instant.parse("2026-11-30T12:00:00Z"), "ef", 0, 0, 0);
        books.take(hold, "public.t", 1, List.of(empty, file));
        books.take(hold, "public.t", 1, List.of(other));
        assertThat(books.taken(job, "public.t", 1)).containsExactly(file, empty);
        assertThat(books.taken(job, "public.t", 2)).isEmpty();
        ReplicaEvent event = books.events(job, 2).get(1);
        assertThat(event.name()).isEqualTo("FILES_TAKEN");
        books.release(hold);
        claim(LEASE);
        refused(ErrorCode.REPLICATION_BUSY, () -> books.take(hold, "public.t", 2, List.of(file)));
        assertThat(books.taken(job, "public.t", 2)).isEmpty();
    }

    private void publish(Hold hold, long to, boolean allKeys) {
        Balance closing = TEN.minus(TWO).plus(THREE);
        ReplicaWindow staged = books.staged(hold, open(hold, to), 8, figures(closing, allKeys));
        books.settled(hold, books.publishing(hold, staged), PublishOutcome.PUBLISHED, "main is 8");
    }

    @Test
    void everyKeyIsLookedAtOnceADayAndAfterATableGrew() {
        Hold hold = running();
        assertThat(books.isAllKeysDue(job, "public.t")).isFalse();
        String yesterday = " - interval '25 hours' where job = '" + job + "'";
        try (Handle handle = TestBooks.jdbi().open()) {
            handle.execute("update weir.replica_event set at = at" + yesterday);
        }
        publish(hold, 20, false);
        assertThat(books.isAllKeysDue(job, "public.t")).isTrue();
        publish(hold, 30, true);
        assertThat(books.isAllKeysDue(job, "public.t")).isFalse();
        assertThat(books.windows(job, 1).get(0).figures())
                .isEqualTo(figures(TEN.minus(TWO).plus(THREE), true));
        books.grown(hold, "public.t", at(30));
        assertThat(books.isAllKeysDue(job, "public.t")).isTrue();
    }

    /** A look is a look, whether or not its window had something to publish. */
    @Test
    void aLookWithoutAPublishedWindowCountsAndFilesOfOthersMakeOneDue() {
        Hold hold = running();
        books.rewritten(hold, "public.t");
        assertThat(books.isAllKeysDue(job, "public.t")).isTrue();
        books.release(hold);
        Hold next = claim(LEASE);
        assertThat(books.isAllKeysDue(job, "public.t")).as("for any process").isTrue();
        books.looked(next, "public.t");
        assertThat(books.isAllKeysDue(job, "public.t")).isFalse();
        assertThat(books.replica(target).verified()).isEqualTo(at(5));
        try (Handle handle = TestBooks.jdbi().open()) {
            handle.execute("update weir.replica_event set at = at - interval '25 hours'"
                    + " where job = '" + job + "'");
        }
        assertThat(books.isAllKeysDue(job, "public.t")).isTrue();
    }

    @Test
    void balancesThatDoNotAddUpAreNotPublished() {
        Hold hold = running();
        ReplicaWindow window = open(hold, 20);
        refused(ErrorCode.VALIDATION_FAILED, () -> books.staged(hold, window, 8, figures(TEN)));
        refused(ErrorCode.RUN_STATE_MISMATCH, () -> books.publishing(hold, window));
        assertThat(books.windows(job, 1).get(0).attempt().state()).isEqualTo(AttemptState.FAILED);
        assertThat(books.replica(target).verified()).isEqualTo(at(5));
    }

    /** Who was taken for dead may change nothing, also if he lives. */
    @Test
    void onlyTheLastClaimMayChangeTheBooks() {
        Hold dead = claim(Duration.ZERO);
        books.begin(dead, at(5));
        books.loaded(dead, "public.t", at(5), null);
        ReplicaWindow left = open(dead, 20);
        Hold alive = claim(LEASE);
        assertThat(alive.epoch()).isEqualTo(dead.epoch() + 1);
        refused(ErrorCode.REPLICATION_BUSY, () -> claim(LEASE));
        refused(ErrorCode.REPLICATION_BUSY, () -> books.sign(dead, LEASE));
        refused(ErrorCode.REPLICATION_BUSY, () -> books.publishing(dead, left));
        refused(ErrorCode.REPLICATION_BUSY, () -> books.advanced(dead, "public.t", at(20)));
        assertThat(books.unsettled(job, "public.t")).containsExactly(left);
        books.abandoned(alive, left, "its process ended");
        assertThat(books.unsettled(job, "public.t")).isEmpty();
        books.release(alive);
        assertThat(claim(LEASE).epoch()).isEqualTo(alive.epoch() + 1);
    }

    @Test
    void aPausedJobIsLeftAlone() {
        Hold hold = claim(LEASE);
        books.pause(job, ANNA);
        refused(ErrorCode.REPLICATION_PAUSED, () -> books.sign(hold, LEASE));
        books.release(hold);
        refused(ErrorCode.REPLICATION_PAUSED, () -> claim(LEASE));
        books.resume(job, ANNA);
        claim(LEASE);
        assertThat(books.events(job, 20))
                .filteredOn(event -> event.operator() != null)
                .extracting(event -> event.name() + " " + event.operator() + " " + event.reason())
                .containsExactly(
                        "REPLICATION_RESUMED anna looked at it",
                        "REPLICATION_PAUSED anna looked at it");
    }

    @Test
    void aFailureIsWaitedForAcrossProcesses() {
        Hold hold = running();
        Replica failed = books.failed(hold, "public.t", "the catalog is away", 1);
        assertThat(failed.isWaiting(books.now())).isTrue();
        books.release(hold);
        Hold next = claim(LEASE);
        assertThat(books.replica(target).failures()).isEqualTo(1);
        assertThat(books.replica(target).isWaiting(books.now())).isTrue();
        assertThat(books.advanced(next, "public.t", at(6)).failures()).isZero();
    }

    @Test
    void aStoppedTableWaitsForAPerson() {
        Hold hold = running();
        Stop stop = new Stop("MERGE_CHAIN_BROKEN", "key=4", "weir rebuild " + target);
        Replica stopped = books.stopped(hold, "public.t", stop);
        assertThat(stopped.state()).isEqualTo(ReplicaState.STOPPED);
        assertThat(stopped.stop()).isEqualTo(stop);
        refused(ErrorCode.REPLICA_STATE_MISMATCH, () -> books.advanced(hold, "public.t", at(9)));
        assertThat(books.resumed(job, "public.t", ANNA).state()).isEqualTo(ReplicaState.RUNNING);
        assertThat(books.rebuild(job, "public.t", ANNA).generation()).isEqualTo(2);
        refused(ErrorCode.REPLICATION_NOT_FOUND, () -> books.rebuild(job, "public.x", ANNA));
    }

    @Test
    void aCutNamesWhatIsMissing() {
        Hold hold = running();
        ReplicaCut first = books.openCut(hold, at(20), 2);
        assertThat(first.number()).isEqualTo(1);
        ReplicaCut closed = books.closeCut(hold, first, List.of("public.t"));
        assertThat(closed.closedAt()).isNotNull();
        assertThat(books.lastCut(job)).contains(closed);
        assertThat(books.openCut(hold, at(30), 2).number()).isEqualTo(2);
    }
}
