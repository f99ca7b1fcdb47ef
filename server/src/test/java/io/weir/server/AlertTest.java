package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Operator;
import io.weir.ledger.alert.AlertBooks.Channel;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.Stop;
import io.weir.server.alert.AlertEndpoint;
import io.weir.server.alert.AlertSink;
import io.weir.server.alert.AlertTeller;
import io.weir.server.receiver.AddressGuard;
import io.weir.server.receiver.HostNames;

import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** What people are told of replication: everything once, whatever fails meanwhile. */
class AlertTest {
    private static final String TABLE = Replicated.TABLE;
    private static final Operator ANN = new Operator("ann", "mended");
    private static final String LOST =
            "Cannot merge: a row is another one (key=id=3," + " expected=a<b & c, found=d)";

    private House house;
    private Receiver slack;
    private Receiver webhook;
    private ReplicaBooks books;
    private Replicated shop;
    private Hold hold;

    @BeforeEach
    void open() {
        house = new House();
        slack = new Receiver().answering(200);
        webhook = new Receiver().answering(204);
        books = house.books.replicas();
        for (Channel channel : Channel.values()) {
            house.books.alerts().open(channel);
        }
        shop = new Replicated(house, "shop");
        hold = shop.hold;
    }

    @AfterEach
    void close() {
        slack.close();
        webhook.close();
        house.close();
    }

    private static LogPlace at(long place) {
        return new LogPlace(place, "0/" + place);
    }

    private static AlertSink endpoint(Receiver receiver) {
        return AlertEndpoint.of(
                receiver.address() + "/T0/s3cret",
                new AddressGuard(Set.of("127.0.0.1"), HostNames.SYSTEM));
    }

    private AlertTeller teller(String... jobs) {
        Map<Channel, AlertSink> sinks = new EnumMap<>(Channel.class);
        sinks.put(Channel.SLACK, endpoint(slack));
        sinks.put(Channel.WEBHOOK, endpoint(webhook));
        return new AlertTeller(house.books.alerts(), sinks, Set.of(jobs));
    }

    private int tell() {
        try (AlertTeller teller = teller()) {
            return teller.tellDue();
        }
    }

    private List<String> kinds() {
        return webhook.calls.stream()
                .map(call -> call.body().path("kind").asText())
                .toList();
    }

    private JsonNode last() {
        return webhook.calls.get(webhook.calls.size() - 1).body();
    }

    /** All texts of the last message in Slack. */
    private String said() {
        JsonNode message = slack.calls.get(slack.calls.size() - 1).body();
        return String.join("\n", message.path("blocks").findValuesAsText("text"))
                + message.path("blocks").findValues("text");
    }

    @Test
    void aFailureIsToldOnceUntilItChangesOrRecovers() {
        books.failed(hold, TABLE, "Cannot reach the lake: no answer (place=0/16B3748)", 0);
        assertThat(tell()).isEqualTo(2);
        JsonNode failure = last();
        assertThat(failure.path("kind").asText()).isEqualTo("FAILURE");
        assertThat(failure.path("job").asText()).isEqualTo("shop");
        assertThat(failure.path("table").asText()).isEqualTo(TABLE);
        assertThat(failure.path("target").asText()).isEqualTo("shop.orders");
        assertThat(failure.path("failures").asLong()).isEqualTo(1);
        String next = books.replica("shop.orders").nextAttemptAt() + "";
        assertThat(failure.path("nextAttemptAt").asText()).isEqualTo(next);
        assertThat(said())
                .contains("Window failed: shop.orders")
                .contains("Cannot reach the lake: no answer")
                .contains("Retry 1 at " + next);

        books.failed(hold, TABLE, "Cannot reach the lake: no answer (place=0/16B3748)", 0);
        books.failed(hold, TABLE, "Cannot reach the lake: no answer (place=0/16B9999)", 0);
        assertThat(tell()).as("the same but for its place").isZero();

        books.failed(hold, TABLE, "Cannot reach the lake: disk full", 0);
        assertThat(tell()).isEqualTo(2);
        assertThat(last().path("kind").asText()).isEqualTo("RETRY");
        assertThat(last().path("failures").asLong()).isEqualTo(4);
        assertThat(said()).contains("Retry 3 failed: shop.orders").contains("Retry 4 at ");

        books.advanced(hold, TABLE, at(20));
        books.advanced(hold, TABLE, at(21));
        assertThat(tell()).isEqualTo(2);
        assertThat(last().path("after").asText()).isEqualTo("FAILURE");
        assertThat(last().path("verified").asText()).isEqualTo("0/20");
        assertThat(said()).contains("First good window after failures, verified up to 0/20.");

        books.failed(hold, TABLE, "Cannot reach the lake: disk full", 0);
        assertThat(tell()).as("it had recovered").isEqualTo(2);
        assertThat(kinds()).containsExactly("FAILURE", "RETRY", "RECOVERY", "FAILURE");
    }

    @Test
    void aTableThatIsLateIsToldOnceAndThatItCaughtUp() {
        books.failed(hold, TABLE, "Cannot merge it", 0);
        tell();
        Instant current = books.now().minus(Duration.ofHours(2));
        Duration max = Duration.ofMinutes(90);
        assertThat(books.late(hold, TABLE, current, Duration.ofHours(3))).isFalse();
        assertThat(books.late(hold, TABLE, null, max))
                .as("it was loaded just now")
                .isFalse();
        assertThat(tell()).isZero();
        assertThat(books.late(hold, TABLE, current, max)).isTrue();
        assertThat(books.late(hold, TABLE, current, max)).isTrue();
        assertThat(tell()).isEqualTo(2);
        assertThat(last().path("kind").asText()).isEqualTo("LATE");
        assertThat(last().path("current").asText()).isEqualTo(current.toString());
        assertThat(last().path("lagMaxSeconds").asLong()).isEqualTo(5400);
        assertThat(last().path("failure").asText()).isEqualTo("Cannot merge it");
        assertThat(said())
                .contains("Late: shop.orders")
                .contains("was committed by " + current + " is sure to be in it")
                .contains("lag-max: 5400s ago. Its last window failed:")
                .contains("Cannot merge it");
        assertThat(books.late(hold, TABLE, books.now(), max)).isFalse();
        assertThat(books.late(hold, TABLE, books.now(), max)).isFalse();
        assertThat(tell()).isEqualTo(2);
        assertThat(said()).contains("Caught up: shop.orders");
        assertThat(kinds()).containsExactly("FAILURE", "LATE", "CAUGHT_UP");
    }

    @Test
    void aStopNamesWhatWasFoundAndWhatToType() {
        books.stopped(
                hold, TABLE, new Stop("MERGE_CHAIN_BROKEN", LOST, "weir rebuild shop.orders"));
        assertThat(tell()).isEqualTo(2);
        assertThat(tell()).isZero();
        assertThat(last().path("kind").asText()).isEqualTo("STOP");
        assertThat(last().path("code").asText()).isEqualTo("MERGE_CHAIN_BROKEN");
        assertThat(last().path("message").asText()).isEqualTo(LOST);
        assertThat(last().path("command").asText()).isEqualTo("weir rebuild shop.orders");
        assertThat(said())
                .contains("Table stopped: shop.orders (MERGE_CHAIN_BROKEN)")
                .contains("key=id=3, expected=a&lt;b &amp; c, found=d")
                .contains("weir rebuild shop.orders")
                .contains("Nothing of this window is published.")
                .doesNotContain("a<b");

        books.rebuild("shop", TABLE, ANN);
        assertThat(tell()).isZero();
        books.loaded(hold, TABLE, at(30), null);
        assertThat(tell()).isEqualTo(2);
        assertThat(last().path("after").asText()).isEqualTo("STOP");
        assertThat(last().path("verified").asText()).isEqualTo("0/30");
        assertThat(kinds()).containsExactly("STOP", "RECOVERY");
    }

    @Test
    void aLogThatEndsIsToldOfOnce() {
        Stop stop = new Stop("CAPTURE_SCHEMA_CHANGED", "Cannot read it", "weir rebuild x");
        books.ended(hold, TABLE, at(9), stop);
        assertThat(tell()).isEqualTo(2);
        assertThat(last().path("ending").asBoolean()).isTrue();
        assertThat(said()).contains("Changes up to there are still published");

        books.advanced(hold, TABLE, at(9));
        assertThat(tell()).as("it is stopped now, as was told").isZero();
    }

    @Test
    void anUnknownOutcomeIsTold() {
        books.settled(hold, shop.sent(20), PublishOutcome.UNKNOWN, "no answer to the commit");
        assertThat(tell()).isEqualTo(2);
        assertThat(last().path("kind").asText()).isEqualTo("PUBLISH_UNKNOWN");
        assertThat(last().path("evidence").asText()).isEqualTo("no answer to the commit");
    }

    @Test
    void aSummaryCountsWhatItsWindowsDidAndComesOnceInAnHour() {
        ReplicaCut cut = books.openCut(hold, at(20), 1);
        books.captured(hold, at(25));
        books.settled(hold, shop.sent(20), PublishOutcome.PUBLISHED, "main is 8");
        assertThat(tell()).as("the cut is open").isZero();
        books.closeCut(hold, cut, List.of());
        assertThat(tell()).isEqualTo(2);
        JsonNode summary = last();
        assertThat(summary.path("kind").asText()).isEqualTo("SUMMARY");
        assertThat(summary.path("id").asText()).isEqualTo("shop/cut/1");
        assertThat(summary.path("position").asText()).isEqualTo("0/20");
        assertThat(summary.path("durationSeconds").asDouble()).isBetween(0.0, 60.0);
        assertThat(summary.path("ageSeconds").asDouble())
                .isGreaterThanOrEqualTo(summary.path("durationSeconds").asDouble());
        JsonNode table = summary.at("/tables/0");
        assertThat(table.path("table").asText()).isEqualTo(TABLE);
        assertThat(table.path("windows").asLong()).isEqualTo(1);
        assertThat(table.path("events").asLong()).isEqualTo(5);
        assertThat(table.path("rowsIn").asLong()).isEqualTo(3);
        assertThat(table.path("rowsOut").asLong()).isEqualTo(2);
        assertThat(table.path("lagBytes").asLong()).isEqualTo(5);
        assertThat(said())
                .contains("Job shop: cut 1 with 1 of 1 tables")
                .contains("3 rows in, 2 rows out; lag 5 bytes.")
                .contains("shop.orders: RUNNING, in 3, out 2, windows 1");

        house.update("update weir.alert set summed_at = date_trunc('hour', clock_timestamp())");
        books.closeCut(hold, books.openCut(hold, at(22), 1), List.of(TABLE));
        house.update("update weir.replica_cut set closed_at = date_trunc('hour',"
                + " clock_timestamp()) + interval '59 minutes' where number = 2");
        assertThat(tell()).as("the hour is not over").isZero();
        house.update("update weir.replica_cut set closed_at = closed_at + interval '1 hour'"
                + " where number = 2");
        assertThat(tell()).isEqualTo(2);
        assertThat(last().at("/missing/0").asText()).isEqualTo(TABLE);
        assertThat(said()).contains("cut 2 with 0 of 1 tables");
    }

    @Test
    void anEndpointThatIsDownLosesNothingAndDoublesNothing() {
        slack.answering(503);
        books.failed(hold, TABLE, "Cannot reach it", 0);
        books.advanced(hold, TABLE, at(20));
        assertThat(tell()).as("the other one takes both").isEqualTo(2);
        assertThat(tell()).as("not due again yet").isZero();
        assertThat(house.ask("select attempts from weir.alert where channel = 'SLACK'"))
                .isEqualTo("1");
        due();
        slack.answering(302);
        assertThat(tell()).as("redirects are no yes").isZero();
        due();
        slack.answering(200);
        assertThat(tell()).isEqualTo(2);
        assertThat(tell()).isZero();
        assertThat(slack.calls)
                .extracting(call -> call.body().path("text").asText())
                .containsExactly(
                        "Window failed: shop.orders",
                        "Window failed: shop.orders",
                        "Window failed: shop.orders",
                        "Recovered: shop.orders");
        assertThat(kinds()).containsExactly("FAILURE", "RECOVERY");
    }

    private void due() {
        house.update("update weir.alert set due_at = clock_timestamp()");
    }

    @Test
    void whatIsNoMessageForAnEndpointDoesNotKeepTheOthersBack() {
        webhook.answering(400);
        books.failed(hold, TABLE, "Cannot reach it", 0);
        assertThat(tell()).isEqualTo(1);
        webhook.answering(204);
        books.advanced(hold, TABLE, at(20));
        assertThat(tell()).isEqualTo(2);
        assertThat(kinds()).containsExactly("FAILURE", "RECOVERY");
    }

    @Test
    void severalProcessesTellOnce() throws Exception {
        for (int i = 0; i < 10; i++) {
            books.failed(hold, TABLE, "Cannot reach it", 0);
            books.advanced(hold, TABLE, at(20 + i));
        }
        int tellers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(tellers);
        CountDownLatch start = new CountDownLatch(1);
        try {
            List<Future<Integer>> told = IntStream.range(0, tellers)
                    .mapToObj(i -> threads.submit(() -> {
                        start.await();
                        return tell();
                    }))
                    .toList();
            start.countDown();
            for (Future<Integer> some : told) {
                assertThat(some.get()).isBetween(0, 40);
            }
            // A teller that finds another one at it leaves the rest to the next turn.
            tell();
        } finally {
            threads.shutdown();
        }
        assertThat(kinds()).hasSize(20);
        assertThat(webhook.calls.stream()
                        .map(call -> call.body().path("id").asText())
                        .distinct())
                .hasSize(20);
        assertThat(slack.calls).hasSize(20);
    }

    @Test
    void whatHappenedBeforeAnybodyToldIsLeftOutAndOtherJobsAreOthers() {
        house.update("delete from weir.alert");
        house.update("delete from weir.alert_channel");
        books.failed(hold, TABLE, "Cannot reach it", 0);
        assertThat(tell()).isZero();

        Hold other = new Replicated(house, "other").hold;
        books.failed(other, TABLE, "Cannot merge it", 0);
        try (AlertTeller teller = teller("shop")) {
            assertThat(teller.tellDue()).as("not its job").isZero();
        }
        assertThat(tell()).as("a job that is new").isEqualTo(2);
        assertThat(last().path("job").asText()).isEqualTo("other");
        books.failed(hold, TABLE, "Cannot write it", 0);
        house.update("update weir.replica_event set at = at - interval '8 days'");
        assertThat(tell()).as("too old to matter").isZero();
    }

    @Test
    void addressesAreCheckedAndNoTextHoldsThem() {
        for (String text :
                List.of("ftp://h/s3cret", "s3cret", "http://u:s3cret@h/", "h ttp://s3cret")) {
            assertThatThrownBy(() ->
                            AlertEndpoint.of(text, new AddressGuard(Set.of(), HostNames.SYSTEM)))
                    .as(text)
                    .isInstanceOfSatisfying(WeirException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
                        assertThat(e.toString()).doesNotContain("s3cret");
                    });
        }
        try (AlertSink unchecked = AlertEndpoint.of(
                webhook.address() + "/s3cret", new AddressGuard(Set.of(), HostNames.SYSTEM))) {
            assertThatThrownBy(() -> unchecked.take("{}"))
                    .hasMessageContaining("not public")
                    .satisfies(
                            e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("s3cret"));
        }
        webhook.close();
        try (AlertSink down = endpoint(webhook)) {
            assertThatThrownBy(() -> down.take("{}"))
                    .hasMessageStartingWith("no answer (reason=")
                    .satisfies(
                            e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("s3cret"));
        }
        assertThat(webhook.calls).isEmpty();
        assertThat(house.ask("select count(*) from weir.alert where alert::text like '%s3cret%'"))
                .isEqualTo("0");
    }
}
