package io.weir.server;

import io.weir.core.publish.PublishOutcome;
import io.weir.core.row.Balance;
import io.weir.core.run.RunId;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.WindowFigures;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** A job that replicates one table in the books of a house, loaded at place 5. */
final class Replicated {
    static final String TABLE = "public.orders";
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final Balance TEN = new Balance(10, 0, 100);
    private static final Balance TWO = new Balance(2, 0, 30);
    private static final Balance THREE = new Balance(3, 0, 50);

    final ReplicaBooks books;
    final Hold hold;

    Replicated(House house, String job) {
        books = house.books.replicas();
        hold = books.claim(
                job,
                "source",
                "slot_" + job,
                Map.of(TABLE, job + ".orders"),
                UUID.randomUUID(),
                "host/1",
                LEASE);
        books.begin(hold, at(5));
        books.loaded(hold, TABLE, at(5), null);
    }

    static LogPlace at(long place) {
        return new LogPlace(place, "0/" + place);
    }

    /** A window of five changes whose commit was sent: two rows go out, three come in. */
    ReplicaWindow sent(long to) {
        ReplicaWindow window = books.openWindow(
                hold, TABLE, at(to), new RunId(UUID.randomUUID()), UUID.randomUUID(), 7);
        Balance closing = TEN.minus(TWO).plus(THREE);
        WindowFigures figures =
                new WindowFigures(5, 1, 2, 1, 1, TEN, TWO, THREE, closing, TWO, THREE, false);
        return books.publishing(hold, books.staged(hold, window, 8, figures));
    }

    void published(long to) {
        books.settled(hold, sent(to), PublishOutcome.PUBLISHED, "main is 8");
    }
}
