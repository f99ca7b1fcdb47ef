package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.RunId;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Stop;
import io.weir.server.access.Role;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.UUID;

/** What a server shows of replication. */
class ReplicaFiguresTest {
    private static final String OF_TABLE = "{job=\"shop\",table=\"public.orders\"} ";

    private House house;
    private WeirServer server;
    private Api api;
    private Replicated shop;

    @BeforeEach
    void open() {
        house = new House();
        server = house.server(OutsideSettings.DEFAULTS);
        api = house.api(server, Role.WORKER);
        shop = new Replicated(house, "shop");
    }

    @AfterEach
    void close() {
        house.close();
    }

    private String scraped() {
        server.sweep();
        return api.get("/metrics").ok().text("text");
    }

    @Test
    void lagIsFromTheVerifiedPlaceToTheCapturedOne() {
        assertThat(scraped())
                .contains("weir_replica_lag_bytes" + OF_TABLE + "0.0")
                .contains("weir_replica_lag_seconds" + OF_TABLE + "0.0");

        shop.books.captured(shop.hold, Replicated.at(105));
        house.update("update weir.replica_event set at = at - interval '1 hour'");
        assertThat(scraped())
                .contains("weir_replica_lag_bytes" + OF_TABLE + "100.0")
                .containsPattern("weir_replica_lag_seconds\\{job=\"shop\",table=\"public.orders\"}"
                        + " 36\\d\\d");

        shop.books.advanced(shop.hold, Replicated.TABLE, Replicated.at(105));
        assertThat(scraped()).contains("weir_replica_lag_seconds" + OF_TABLE + "0.0");
    }

    @Test
    void windowsAreCountedOnceFromTheFirstLookOn() {
        shop.published(20);
        assertThat(scraped()).doesNotContain("weir_replica_rows_total");

        shop.published(30);
        shop.published(40);
        shop.books.abandoned(
                shop.hold,
                shop.books.openWindow(
                        shop.hold,
                        Replicated.TABLE,
                        Replicated.at(50),
                        new RunId(UUID.randomUUID()),
                        UUID.randomUUID(),
                        7),
                "no row changes");
        scraped();
        assertThat(scraped())
                .contains("weir_replica_rows_total{direction=\"in\",job=\"shop\"} 6.0")
                .contains("weir_replica_rows_total{direction=\"out\",job=\"shop\"} 4.0")
                .contains("weir_replica_window_duration_seconds_count{job=\"shop\","
                        + "outcome=\"published\"} 2")
                .contains("weir_replica_window_duration_seconds_count{job=\"shop\","
                        + "outcome=\"abandoned\"} 1");
    }

    private ReplicaWindow opened(Replicated job, long to) {
        return job.books.openWindow(
                job.hold,
                Replicated.TABLE,
                Replicated.at(to),
                new RunId(UUID.randomUUID()),
                UUID.randomUUID(),
                7);
    }

    @Test
    void theMostWindowsAtOnceAreShown() {
        String shown = "weir_replica_merges_concurrent{job=\"shop\"} ";
        assertThat(scraped()).contains(shown + "0.0");
        ReplicaWindow first = opened(shop, 20);
        ReplicaWindow second = opened(shop, 20);
        assertThat(scraped()).contains(shown + "2.0");
        shop.books.abandoned(shop.hold, first, "no row changes");
        shop.books.abandoned(shop.hold, second, "no row changes");
        shop.books.abandoned(shop.hold, opened(shop, 30), "no row changes");
        assertThat(scraped()).as("two, then one").contains(shown + "2.0");
        assertThat(scraped()).contains(shown + "0.0");
        opened(shop, 40);
        house.update("update weir.replication set lease_until = clock_timestamp()");
        assertThat(scraped()).as("its process is gone").contains(shown + "0.0");
    }

    @Test
    void failuresAndStopsAreShown() {
        shop.books.failed(shop.hold, Replicated.TABLE, "Cannot reach it", 0);
        shop.books.failed(shop.hold, Replicated.TABLE, "Cannot reach it", 0);
        assertThat(scraped())
                .contains("weir_replica_failures" + OF_TABLE + "2.0")
                .contains("weir_replica_stopped" + OF_TABLE + "0.0");

        shop.books.stopped(shop.hold, Replicated.TABLE, new Stop("X", "found it", "weir x"));
        assertThat(scraped()).contains("weir_replica_stopped" + OF_TABLE + "1.0");
    }
}
