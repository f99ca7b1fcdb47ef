package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Operator;
import io.weir.core.run.StreamState;
import io.weir.core.run.StreamTransaction;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.process.StreamRules;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;

/** Open transactions of streaming connections: signs, leases, and who ends them. */
final class Streams {
    private static final int REMOVED_MOST = 100;

    private final Transactions signs;
    private final LedgerSettings settings;

    /**
     * Over transactions that fail soon.
     *
     * @param signs each ends, well or not, before a lease does
     */
    Streams(Transactions signs, LedgerSettings settings) {
        this.signs = signs;
        this.settings = settings;
    }

    StreamTransaction open(StreamTransaction begun) {
        return signs.run("open a transaction on " + begun.target(), books -> {
            Instant now = books.now();
            books.streams().removeEndedBefore(now.minus(settings.workerRetention()), REMOVED_MOST);
            StreamTransaction known = books.streams().lock(begun.id()).orElse(null);
            if (known != null) {
                return StreamRules.at(known, now);
            }
            StreamTransaction row = new StreamTransaction(
                    begun.id(),
                    begun.target(),
                    begun.agent(),
                    begun.worker(),
                    begun.source(),
                    begun.sequence(),
                    StreamState.OPEN,
                    begun.records(),
                    begun.timeout(),
                    now,
                    now.plus(begun.timeout()),
                    null);
            books.streams().put(row);
            return row;
        });
    }

    StreamTransaction prolong(UUID id, long records) {
        return moved("prolong", id, (row, now) -> StreamRules.prolonged(row, records, now));
    }

    StreamTransaction commit(UUID id) {
        return moved("commit", id, StreamRules::committing);
    }

    void close(UUID id) {
        signs.run("close transaction " + id, books -> {
            books.streams().remove(id);
            return true;
        });
    }

    StreamTransaction abort(UUID id, Operator operator) {
        return moved("abort", id, (row, now) -> {
            StreamTransaction seen = StreamRules.at(row, now);
            if (seen.state() == StreamState.COMMITTING) {
                throw new WeirException(
                        ErrorCode.INGEST_STATE_MISMATCH,
                        "Cannot abort transaction " + id + " on " + seen.target()
                                + ": its commit is on its way",
                        "Look at the table: it says what is committed.",
                        null);
            }
            return seen.state() == StreamState.OPEN
                    ? seen.aborted(operator.name() + ": " + operator.reason())
                    : seen;
        });
    }

    List<StreamTransaction> all() {
        return signs.read("list open transactions", books -> {
            Instant now = books.now();
            Instant forgotten = now.minus(settings.workerRetention());
            return books.streams().all().stream()
                    .filter(row -> !row.leaseUntil().isBefore(forgotten))
                    .map(row -> StreamRules.at(row, now))
                    .toList();
        });
    }

    private StreamTransaction moved(
            String verb,
            UUID id,
            BiFunction<StreamTransaction, Instant, StreamTransaction> decide) {
        return signs.run(verb + " transaction " + id, books -> {
            StreamTransaction row = locked(books, verb, id);
            StreamTransaction next = decide.apply(row, books.now());
            if (!next.equals(row)) {
                books.streams().put(next);
            }
            return next;
        });
    }

    private static StreamTransaction locked(Books books, String verb, UUID id) {
        return books.streams()
                .lock(id)
                .orElseThrow(() -> new WeirException(
                        ErrorCode.STREAM_NOT_FOUND,
                        "Cannot " + verb + " transaction " + id
                                + ": the ledger has no open transaction of this id"));
    }
}
