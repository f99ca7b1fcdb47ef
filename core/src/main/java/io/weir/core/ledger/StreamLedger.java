package io.weir.core.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Operator;
import io.weir.core.run.StreamTransaction;

import java.util.List;
import java.util.UUID;

/**
 * Which transactions of streaming connections are open, under leases. The tables decide what is
 * committed; this says who is at work, and lets others end it. Every call may be repeated after a
 * lost reply.
 *
 * <p>All calls throw {@link WeirException}: {@link ErrorCode#LEDGER_UNREACHABLE} when the books
 * cannot be reached; further codes are named at the call.
 */
public interface StreamLedger {
    /**
     * Says that a transaction began; its lease counts from now. State and times of what is passed
     * do not count.
     *
     * @return as it is in the books
     */
    StreamTransaction openStream(StreamTransaction begun);

    /**
     * Says that the connection of a transaction is alive.
     *
     * @param records that became rows so far
     * @return OPEN or COMMITTING under a new lease; ABORTED or EXPIRED if it must not go on
     * @throws WeirException {@link ErrorCode#STREAM_NOT_FOUND} if it was forgotten
     */
    StreamTransaction prolongStream(UUID id, long records);

    /**
     * Says that a transaction is about to be committed: from now on nobody else can abort it.
     *
     * @return COMMITTING; ABORTED or EXPIRED if it must not be committed
     * @throws WeirException {@link ErrorCode#STREAM_NOT_FOUND} if it was forgotten
     */
    StreamTransaction commitStream(UUID id);

    /** Forgets a transaction that its own connection committed or aborted. */
    void closeStream(UUID id);

    /**
     * Aborts a transaction because a person wants it; its connection hears of it at its next sign
     * or commit.
     *
     * @throws WeirException {@link ErrorCode#STREAM_NOT_FOUND}, {@link
     *     ErrorCode#INGEST_STATE_MISMATCH} if its commit is on its way
     */
    StreamTransaction abortStream(UUID id, Operator operator);

    /** All that are not closed, the oldest first; one without a sign for a day is forgotten. */
    List<StreamTransaction> streams();
}
