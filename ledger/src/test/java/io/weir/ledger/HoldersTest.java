package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.Failure;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Who keeps the snapshot of a run alive at the source. */
class HoldersTest {
    private static final OwnBooks BOOKS = OwnBooks.open();
    private static final UUID FIRST = new UUID(0, 1);
    private static final UUID SECOND = new UUID(0, 2);
    private static final SnapshotToken ONE = token("00000003-00000002-1");
    private static final SnapshotToken TWO = token("00000004-00000001-1");

    private final BookLedger ledger = BOOKS.ledger;

    @AfterAll
    static void close() {
        BOOKS.close();
    }

    @Test
    void aHolderLivesForOneLeaseAfterItsLastSign() {
        RunScript script = BOOKS.created();
        Instant before = ledger.detail(script.id).now();
        ledger.holdSnapshot(script.id, FIRST, ONE, "w1");

        SnapshotHolder holder = holders(script).get(0);

        assertThat(holder.token()).isEqualTo(ONE);
        assertThat(holder.worker()).isEqualTo("w1");
        assertThat(holder.leaseUntil())
                .isBetween(
                        before.plus(Duration.ofSeconds(30)),
                        ledger.detail(script.id).now().plus(Duration.ofSeconds(30)));
        BOOKS.endHolders(script);
        assertThat(holders(script).get(0).leaseUntil())
                .isBeforeOrEqualTo(ledger.detail(script.id).now());

        ledger.holdSnapshot(script.id, FIRST, ONE, "w1");

        assertThat(holders(script)).hasSize(1);
        assertThat(holders(script).get(0).leaseUntil()).isAfter(holder.leaseUntil());
        // A sign of life: no event tells of it.
        assertThat(ledger.events(script.id)).hasSize(1);
    }

    @Test
    void theOneThatLivesLongestComesFirst() {
        RunScript script = BOOKS.created();
        ledger.holdSnapshot(script.id, FIRST, ONE, "w1");
        ledger.holdSnapshot(script.id, SECOND, TWO, "w2");
        assertThat(holders(script)).extracting(SnapshotHolder::id).containsExactly(SECOND, FIRST);

        ledger.holdSnapshot(script.id, FIRST, ONE, "w1");

        assertThat(holders(script)).extracting(SnapshotHolder::id).containsExactly(FIRST, SECOND);
    }

    @Test
    void ordersNameALivingHolderWhateverTheManifestSays() {
        RunScript script = BOOKS.created();
        ledger.holdSnapshot(script.id, FIRST, ONE, "w1");
        ledger.holdSnapshot(script.id, SECOND, TWO, "w2");
        script.register(3);
        assertThat(script.claim().snapshot()).isEqualTo(TWO);

        ledger.releaseSnapshot(script.id, SECOND);
        ledger.releaseSnapshot(script.id, SECOND);

        assertThat(holders(script)).extracting(SnapshotHolder::id).containsExactly(FIRST);
        assertThat(script.claim().snapshot()).isEqualTo(ONE);
        ledger.releaseSnapshot(script.id, FIRST);
        // Nobody lives: the token of the manifest is all there is to try.
        assertThat(script.claim().snapshot()).isEqualTo(script.run().snapshot());
    }

    @Test
    void holdersOfOneRunAreNoHoldersOfAnother() {
        RunScript mine = BOOKS.created();
        RunScript other = BOOKS.created();
        ledger.holdSnapshot(mine.id, FIRST, ONE, "w1");
        ledger.holdSnapshot(other.id, FIRST, TWO, "w1");

        ledger.releaseSnapshot(other.id, FIRST);

        assertThat(holders(mine)).extracting(SnapshotHolder::token).containsExactly(ONE);
        assertThat(holders(other)).isEmpty();
    }

    @Test
    void aHolderMayLeaveAfterTheEnd() {
        RunScript script = BOOKS.created();
        ledger.holdSnapshot(script.id, FIRST, ONE, "w1");
        Failure failure = new Failure("EXTRACT", "INTERRUPTED", "asked to stop");
        ledger.failRun(script.id, RunState.CREATED, RunState.CANCELLED, failure);

        ledger.releaseSnapshot(script.id, FIRST);

        assertThat(holders(script)).isEmpty();
    }

    private List<SnapshotHolder> holders(RunScript script) {
        return ledger.detail(script.id).holders();
    }

    private static SnapshotToken token(String text) {
        return new SnapshotToken(SnapshotToken.POSTGRESQL, text);
    }
}
