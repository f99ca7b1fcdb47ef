package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.run.Failure;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** What may be removed, and that it was. */
class RetentionTest {
    private static final Duration THREE_DAYS = Duration.ofDays(3);
    private static final Duration TWO_WEEKS = Duration.ofDays(14);

    private final OwnBooks books = OwnBooks.open();
    private final BookLedger ledger = books.ledger;

    @AfterEach
    void close() {
        books.close();
    }

    @Test
    void namesWhatEndedLongEnoughAgoOldestFirst() {
        RunScript active = books.validated().publish();
        RunScript young = succeeded(2);
        RunScript success = succeeded(4);
        RunScript freshlyFailed = failed(13);
        RunScript failed = failed(15);
        assertThat(active.run().state()).isEqualTo(RunState.PUBLISHED);

        assertThat(cleanable(10)).containsExactly(failed.id, success.id);
        assertThat(cleanable(1)).containsExactly(failed.id);
        assertThat(ledger.cleanable(Duration.ZERO, Duration.ZERO, 10))
                .extracting(Run::id)
                .containsExactly(failed.id, freshlyFailed.id, success.id, young.id);
    }

    @Test
    void recordsOnceThatItIsGone() {
        RunScript script = failed(15);

        Run cleaned = ledger.recordCleaned(script.id);
        Run again = ledger.recordCleaned(script.id);

        assertThat(cleaned.cleanedAt()).isNotNull();
        assertThat(cleaned.state()).isEqualTo(RunState.FAILED_EXTRACT);
        assertThat(again).isEqualTo(cleaned);
        assertThat(cleanable(10)).isEmpty();
        assertThat(ledger.events(script.id)).last().extracting("name").isEqualTo("RUN_CLEANED");
    }

    @Test
    void cleansNothingThatIsStillActive() {
        RunScript script = books.extracted();

        assertCode(() -> ledger.recordCleaned(script.id), ErrorCode.RUN_STATE_MISMATCH)
                .isEqualTo("Cannot clean up after run " + script.id
                        + ": it has not ended (state=EXTRACTED_VALIDATED)");
    }

    @Test
    void keepsWhatAnOpenAttemptMayStillPublish() {
        RunScript script = books.validated();
        ledger.failRun(
                script.id,
                RunState.STAGING_VALIDATED,
                RunState.FAILED_PUBLISH,
                new Failure("PUBLISH", "X", "x"));
        end(script, 30);
        assertThat(cleanable(10)).containsExactly(script.id);

        attempt(script, "OPEN", null);
        assertThat(cleanable(10)).isEmpty();
        attempt(script, "UNKNOWN", "no reply");
        assertThat(cleanable(10)).isEmpty();
        attempt(script, "PUBLISHED", "seen");
        assertThat(cleanable(10)).containsExactly(script.id);
    }

    private void attempt(RunScript script, String state, @Nullable String evidence) {
        books.update(
                "update weir.publish_attempt set state = ?, evidence = ? where run_id = ?",
                state,
                evidence,
                script.id.value());
    }

    private List<RunId> cleanable(int most) {
        return ledger.cleanable(THREE_DAYS, TWO_WEEKS, most).stream()
                .map(Run::id)
                .toList();
    }

    private RunScript succeeded(int daysAgo) {
        RunScript script = books.validated().publish();
        assertThat(script.confirm().runState()).isEqualTo(RunState.SUCCESS);
        return end(script, daysAgo);
    }

    private RunScript failed(int daysAgo) {
        RunScript script = books.created().register(1);
        ledger.failPartition(script.claim().claim(), new Failure("EXTRACT", "X", "x"));
        return end(script, daysAgo);
    }

    private RunScript end(RunScript script, int daysAgo) {
        books.update(
                "update weir.run set ended_at = clock_timestamp() - make_interval(days => ?)"
                        + " where id = ?",
                daysAgo,
                script.id.value());
        return script;
    }
}
