package io.weir.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.run.Operator;
import io.weir.core.run.StreamState;
import io.weir.core.run.StreamTransaction;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What the ledger does with open transactions of streaming connections, whatever keeps it. */
public abstract class StreamContract extends LedgerContract {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Operator ANN = new Operator("ann", "it is stuck");

    private StreamTransaction open(String target) {
        return ledger.openStream(begun(target));
    }

    private static StreamTransaction begun(String target) {
        return new StreamTransaction(
                UUID.nameUUIDFromBytes(target.getBytes(StandardCharsets.UTF_8)),
                target,
                "agent-1",
                "7@host",
                "topic-0",
                41L,
                StreamState.EXPIRED,
                0,
                TIMEOUT,
                Instant.EPOCH,
                Instant.EPOCH,
                null);
    }

    private List<StreamTransaction> seen(StreamTransaction row) {
        return ledger.streams().stream()
                .filter(one -> one.id().equals(row.id()))
                .toList();
    }

    @Test
    void anOpenTransactionLivesByItsSigns() {
        StreamTransaction row = open("testing." + job());
        assertThat(row.state()).isEqualTo(StreamState.OPEN);
        assertThat(row.begunAt()).isAfter(Instant.EPOCH);
        assertThat(row.leaseUntil()).isEqualTo(row.begunAt().plus(TIMEOUT));
        assertThat(seen(row)).containsExactly(row);
        assertThat(open(row.target())).isEqualTo(row);

        books().pass(TIMEOUT.minusSeconds(10));
        StreamTransaction signed = ledger.prolongStream(row.id(), 12);
        assertThat(signed.records()).isEqualTo(12);
        assertThat(signed.sequence()).isEqualTo(41);
        assertThat(signed.source()).isEqualTo("topic-0");
        books().pass(TIMEOUT.minusSeconds(10));
        assertThat(ledger.prolongStream(row.id(), 13).state()).isEqualTo(StreamState.OPEN);

        ledger.closeStream(row.id());
        ledger.closeStream(row.id());

        assertThat(seen(row)).isEmpty();
        refused(ErrorCode.STREAM_NOT_FOUND, () -> ledger.prolongStream(row.id(), 14));
        refused(ErrorCode.STREAM_NOT_FOUND, () -> ledger.commitStream(row.id()));
        refused(ErrorCode.STREAM_NOT_FOUND, () -> ledger.abortStream(row.id(), ANN));
    }

    @Test
    void withoutASignItExpiresForGood() {
        StreamTransaction row = open("testing." + job());

        books().pass(TIMEOUT);

        assertThat(seen(row))
                .extracting(StreamTransaction::state)
                .containsExactly(StreamState.EXPIRED);
        assertThat(ledger.prolongStream(row.id(), 5).state()).isEqualTo(StreamState.EXPIRED);
        assertThat(ledger.commitStream(row.id()).state()).isEqualTo(StreamState.EXPIRED);
        assertThat(ledger.abortStream(row.id(), ANN).state()).isEqualTo(StreamState.EXPIRED);
        books().pass(SETTINGS.workerRetention().plusSeconds(1));
        assertThat(seen(row)).isEmpty();
        open("testing." + job());
        refused(ErrorCode.STREAM_NOT_FOUND, () -> ledger.prolongStream(row.id(), 5));
    }

    @Test
    void somebodyElseMayAbortItUntilItsCommitIsOnItsWay() {
        StreamTransaction aborted = open("testing." + job());
        StreamTransaction committing = open("testing." + job());

        ledger.abortStream(aborted.id(), ANN);

        StreamTransaction told = ledger.commitStream(aborted.id());
        assertThat(told.state()).isEqualTo(StreamState.ABORTED);
        assertThat(told.reason()).endsWith(": it is stuck");
        assertThat(ledger.prolongStream(aborted.id(), 1)).isEqualTo(told);
        assertThat(ledger.abortStream(aborted.id(), ANN)).isEqualTo(told);
        assertThat(ledger.commitStream(committing.id()).state()).isEqualTo(StreamState.COMMITTING);
        refused(ErrorCode.INGEST_STATE_MISMATCH, () -> ledger.abortStream(committing.id(), ANN));
        books().pass(TIMEOUT.multipliedBy(2));
        assertThat(ledger.prolongStream(committing.id(), 9).state())
                .isEqualTo(StreamState.COMMITTING);
    }
}
