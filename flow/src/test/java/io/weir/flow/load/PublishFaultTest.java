package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Event;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.source.Source;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;
import io.weir.testkit.proxy.Ending;
import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;
import io.weir.testkit.proxy.Request;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The catalog goes away, or its answer does, while a run is published. */
class PublishFaultTest {
    private static final LoadJob ORDERS = LoadHouse.job("orders", PublishMode.APPEND);
    private static final int SECONDS_MAX = 120;

    @TempDir
    Path directory;

    private final TestDatabase books = TestPostgres.shared().createDatabase();
    private final FaultProxy line =
            FaultProxy.start(Protocol.POSTGRESQL, books.host(), books.port());
    private LoadHouse house;

    @BeforeEach
    void open() {
        house = new LoadHouse(
                directory,
                directory.resolve("lake"),
                books,
                books.url(),
                LoadHouse.through(line, books));
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2))",
                "insert into orders select n, n from generate_series(1, 3000) as n");
    }

    @AfterEach
    void close() {
        house.close();
        line.close();
    }

    private static boolean isCommit(Request request) {
        return request.text().contains("UPDATE iceberg_tables SET metadata_location");
    }

    /** Does something between the audit and the publish. */
    private static LoadListener afterTheAudit(Runnable action) {
        return new LoadListener() {
            @Override
            public void audited(Run run) {
                action.run();
            }
        };
    }

    private List<String> events(RunId id) {
        return house.ledger.events(id).stream().map(Event::name).toList();
    }

    private long commits() {
        return line.seen().stream().filter(PublishFaultTest::isCommit).count();
    }

    // F39
    @Test
    void aPublishWhoseReplyIsLostIsFoundPublishedAndNotSentAgain() {
        RunDetail detail = house.load(ORDERS, "monday", afterTheAudit(() -> {
            line.startOver();
            line.at(PublishFaultTest::isCommit, Fault.CUT_AFTER);
        }));

        assertThat(detail.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(events(detail.run().id())).containsOnlyOnce("PUBLISH_UNKNOWN");
        assertThat(detail.attempts())
                .extracting(PublishAttempt::state)
                .containsExactly(AttemptState.PUBLISHED);
        assertThat(detail.attempts().get(0).evidence()).isNotBlank();
        assertThat(commits()).isEqualTo(1);
        assertThat(house.rows("sales.orders")).isEqualTo("3000");
    }

    // F40
    @Test
    void aPublishThatNeverArrivedIsRuledOutAndPublishedUnderTheNextEpoch() {
        RunDetail detail = house.load(
                ORDERS,
                "monday",
                afterTheAudit(() -> line.at(PublishFaultTest::isCommit, Fault.CUT_BEFORE)));

        assertThat(detail.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(events(detail.run().id()))
                .containsOnlyOnce("PUBLISH_UNKNOWN")
                .containsOnlyOnce("PUBLISH_ABSENT");
        assertThat(detail.attempts())
                .extracting(PublishAttempt::state)
                .containsExactly(AttemptState.FAILED, AttemptState.PUBLISHED);
        assertThat(detail.attempts().get(1).epoch())
                .isGreaterThan(detail.attempts().get(0).epoch());
        assertThat(house.rows("sales.orders")).isEqualTo("3000");
    }

    /** Mends the line once the load was seen to wait twice. */
    private final class Mender extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger log = (Logger) LoggerFactory.getLogger(Patience.class);
        private int waits;

        Mender() {
            start();
            log.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            waits++;
            if (waits == 2) {
                line.pass();
            }
        }

        @Override
        public void close() {
            log.detachAppender(this);
        }
    }

    private void cutOff() {
        line.refuse();
        line.cutAll(Ending.CLOSE);
    }

    // F40
    @Test
    void aCatalogThatIsAwayBeforeTheCommitIsWaitedFor() {
        try (Mender mender = new Mender()) {
            RunDetail detail = house.load(ORDERS, "monday", afterTheAudit(this::cutOff));

            assertThat(mender.waits).isGreaterThanOrEqualTo(2);
            assertThat(detail.run().state()).isEqualTo(RunState.SUCCESS);
            assertThat(detail.attempts()).hasSize(1);
            assertThat(events(detail.run().id())).doesNotContain("PUBLISH_UNKNOWN");
            assertThat(house.rows("sales.orders")).isEqualTo("3000");
        }
    }

    // F40
    @Test
    void aCatalogThatIsAwayBeforeTheFirstTableIsWaitedFor() {
        cutOff();
        try (Mender mender = new Mender()) {
            assertThat(house.load(ORDERS, "monday").run().state()).isEqualTo(RunState.SUCCESS);
            assertThat(mender.waits).isGreaterThanOrEqualTo(2);
        }
        assertThat(house.rows("sales.orders")).isEqualTo("3000");
    }

    // F40
    @Test
    void aCatalogThatStaysAwayEndsTheRunWithAClearError() {
        LoadSettings hasty = LoadHouse.SETTINGS.withPatience(Duration.ofMillis(600));
        try (Source source = house.source()) {
            assertThatThrownBy(() -> house.flow(house.ledger, hasty)
                            .load(source, List.of(ORDERS), "monday", afterTheAudit(this::cutOff)))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNREACHABLE));
        }
        Run failed = house.ledger.runs(new RunFilter("orders", false, 1)).get(0);
        assertThat(failed.state()).isEqualTo(RunState.FAILED_PUBLISH);
        line.pass();
        assertThat(house.rows("sales.orders")).isEqualTo("0");

        assertThat(house.load(ORDERS, "monday").run().state()).isEqualTo(RunState.SUCCESS);

        assertThat(house.rows("sales.orders")).isEqualTo("3000");
    }

    // F12
    @Test
    void aRunOfACutIsClosedIfTheNextOneCannotBePrepared() {
        house.shop.execute("create table broken (id bigint primary key)");
        house.load(LoadHouse.job("broken", PublishMode.APPEND), "monday");
        house.shop.execute("alter table broken add column more int");
        List<LoadJob> tables = List.of(
                LoadHouse.tableOf("shop", "orders", PublishMode.APPEND),
                LoadHouse.tableOf("shop", "broken", PublishMode.APPEND));
        try (Source source = house.source()) {
            assertThatThrownBy(() -> house.flow().load(source, tables, "monday", LoadHouse.SILENT))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TARGET_SCHEMA_MISMATCH));
        }
        assertThat(house.ledger.runs(new RunFilter("shop", true, 10))).isEqualTo(List.of());
    }

    // F42
    @Test
    void twoPublishersOfOneTargetAtTheSameInstantBothArriveOnce() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        LoadListener together = new LoadListener() {
            @Override
            public void audited(Run run) {
                try {
                    both.await(SECONDS_MAX, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<RunDetail>> loads = new ArrayList<>();
        for (String key : List.of("monday", "tuesday")) {
            loads.add(threads.submit(() -> house.load(ORDERS, key, together)));
        }
        List<RunDetail> details = new ArrayList<>();
        for (Future<RunDetail> load : loads) {
            details.add(load.get(SECONDS_MAX, TimeUnit.SECONDS));
        }
        threads.shutdown();

        assertThat(details)
                .extracting(detail -> detail.run().state())
                .containsOnly(RunState.SUCCESS);
        // The slower one was refused under its first epoch and staged anew.
        assertThat(details.stream().mapToInt(detail -> detail.attempts().size()).sum())
                .isEqualTo(3);
        assertThat(house.rows("sales.orders")).isEqualTo("6000");
    }
}
