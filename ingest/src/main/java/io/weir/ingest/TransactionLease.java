package io.weir.ingest;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.StreamLedger;
import io.weir.core.run.StreamState;
import io.weir.core.run.StreamTransaction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The lease of the open transaction in a ledger, if there is one: signed by itself at half of its
 * time, whatever the connection does. What the ledger takes away is remembered for the next call.
 */
final class TransactionLease {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionLease.class);

    private final ConnectionSettings settings;
    private final ConnectionStats stats;
    private final @Nullable StreamLedger ledger;
    private @Nullable StreamTransaction held;

    /** Changed under the lock; read for every record, so without it. */
    private volatile @Nullable TransactionError lost;

    private Timer.Pending next = Timer.Pending.NONE;
    private long written;

    TransactionLease(ConnectionSettings settings, ConnectionStats stats) {
        this.settings = settings;
        this.stats = stats;
        this.ledger = settings.ledger();
    }

    /**
     * Begins a lease.
     *
     * @param unique gives a name that nobody else gives to a transaction
     */
    void begin(Supplier<String> unique, @Nullable Long sequence) throws StreamingException {
        if (ledger == null) {
            return;
        }
        StreamTransaction begun = new StreamTransaction(
                UUID.nameUUIDFromBytes(unique.get().getBytes(StandardCharsets.UTF_8)),
                settings.target(),
                settings.agent(),
                ManagementFactory.getRuntimeMXBean().getName(),
                settings.source(),
                sequence,
                StreamState.OPEN,
                0,
                settings.leaseTimeout(),
                Instant.EPOCH,
                Instant.EPOCH,
                null);
        try {
            begun = ledger.openStream(begun);
        } catch (WeirException e) {
            throw StreamingException.of(e);
        }
        synchronized (this) {
            held = begun;
            lost = null;
            written = stats.getRecordsWritten();
            signLater(begun);
        }
    }

    private void signLater(StreamTransaction row) {
        Duration half = row.timeout().dividedBy(2);
        next = settings.timer().after(half, () -> sign(row));
    }

    private void sign(StreamTransaction row) {
        StreamTransaction signed = null;
        WeirException refusal = null;
        try {
            signed = required().prolongStream(row.id(), stats.getRecordsWritten() - written);
            stats.heartbeats.increment();
        } catch (WeirException e) {
            refusal = e;
        }
        synchronized (this) {
            if (held == null || !held.id().equals(row.id())) {
                return;
            }
            if (signed != null && !signed.state().isAlive()) {
                lost = taken(signed);
            } else if (refusal != null && refusal.code() == ErrorCode.STREAM_NOT_FOUND) {
                lost = forgotten(refusal);
            } else {
                if (refusal != null) {
                    LOG.atWarn().setCause(refusal).log("Lease of a transaction not prolonged");
                }
                signLater(row);
            }
        }
    }

    /** Why the open transaction must not go on; null if it may. */
    @Nullable
    TransactionError lost() {
        return lost;
    }

    /**
     * Says that the commit is about to be sent: nobody else can abort it from now on. Afterwards
     * {@link #lost} tells whether the ledger agreed.
     *
     * @throws StreamingException if the ledger did not answer; the call may be repeated
     */
    void commit() throws StreamingException {
        StreamTransaction row;
        synchronized (this) {
            row = held;
        }
        if (row == null || lost() != null) {
            return;
        }
        TransactionError refused = null;
        try {
            StreamTransaction answer = required().commitStream(row.id());
            refused = answer.state().isAlive() ? null : taken(answer);
        } catch (WeirException e) {
            if (e.code() != ErrorCode.STREAM_NOT_FOUND) {
                throw StreamingException.of(e);
            }
            refused = forgotten(e);
        }
        synchronized (this) {
            lost = refused;
        }
    }

    /** Ends the lease with its transaction. */
    void end() {
        StreamTransaction row = leave();
        if (row == null) {
            return;
        }
        try {
            required().closeStream(row.id());
        } catch (WeirException e) {
            // It expires by itself.
            LOG.atDebug().setCause(e).log("Lease of a transaction not closed");
        }
    }

    /** Signs no more; what nobody knows the outcome of stays in the ledger for people to see. */
    synchronized @Nullable StreamTransaction leave() {
        StreamTransaction row = held;
        next.cancel();
        next = Timer.Pending.NONE;
        held = null;
        lost = null;
        return row;
    }

    private StreamLedger required() {
        if (ledger == null) {
            throw new IllegalStateException("No ledger");
        }
        return ledger;
    }

    private TransactionError taken(StreamTransaction row) {
        String reason = row.state() == StreamState.ABORTED
                ? "it was aborted (by=" + row.reason() + ")"
                : "its lease ended before a sign came (timeout=" + row.timeout() + ", ended="
                        + row.leaseUntil() + ")";
        return error(reason + ", nothing of it is in the table", null);
    }

    private TransactionError forgotten(WeirException cause) {
        return error("the ledger does not know it any more, nothing of it is in the table", cause);
    }

    private TransactionError error(String reason, @Nullable WeirException cause) {
        String text =
                "Cannot go on with the transaction on table " + settings.target() + ": " + reason;
        // The hint is that of the cause, and what to do here is the same for all of them.
        WeirException own = new WeirException(ErrorCode.INGEST_EXPIRED, text, cause);
        return new TransactionError(ErrorCode.INGEST_EXPIRED, text, own);
    }
}
