package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.WorkerSign;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Signs of worker processes. */
class WorkersTest {
    private static final UUID FIRST = new UUID(0, 1);
    private static final UUID SECOND = new UUID(0, 2);

    private final OwnBooks books = OwnBooks.open();
    private final BookLedger ledger = books.ledger;

    @AfterEach
    void close() {
        books.close();
    }

    @Test
    void keepsTheLastSignOfEachProcessByTheClockOfTheLedger() {
        ledger.signWorker(sign(FIRST, List.of("shop", "crm"), 4, 0));
        Instant started = ledger.workers().get(0).startedAt();

        ledger.signWorker(sign(FIRST, List.of("shop"), 8, 3));

        assertThat(ledger.workers()).hasSize(1);
        WorkerSign last = ledger.workers().get(0);
        assertThat(last.sources()).containsExactly("shop");
        assertThat(last.slots()).isEqualTo(8);
        assertThat(last.busy()).isEqualTo(3);
        assertThat(last.startedAt()).isEqualTo(started).isAfter(Instant.EPOCH);
        assertThat(last.seenAt()).isAfter(started);
    }

    @Test
    void listsTheNewestSignFirstAndForgetsAfterAnHour() {
        ledger.signWorker(sign(FIRST, List.of("shop"), 4, 0));
        ledger.signWorker(sign(SECOND, List.of(), 0, 0));
        assertThat(ledger.workers()).extracting(WorkerSign::id).containsExactly(SECOND, FIRST);
        ledger.signWorker(sign(FIRST, List.of("shop"), 4, 1));
        assertThat(ledger.workers()).extracting(WorkerSign::id).containsExactly(FIRST, SECOND);

        books.update(
                "update weir.worker set seen_at = seen_at - interval '1 hour' where id = ?", FIRST);

        assertThat(ledger.workers()).extracting(WorkerSign::id).containsExactly(SECOND);
        ledger.signWorker(sign(FIRST, List.of("shop"), 4, 1));
        assertThat(ledger.workers()).extracting(WorkerSign::id).containsExactly(FIRST, SECOND);
    }

    private static WorkerSign sign(UUID id, List<String> sources, int slots, int busy) {
        return new WorkerSign(id, "host/" + id, sources, slots, busy, Instant.EPOCH, Instant.EPOCH);
    }
}
