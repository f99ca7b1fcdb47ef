package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.source.Source;
import io.weir.table.LocalFileIO;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Several tables of one job: none is visible before all are proven, and what began is finished. */
class LoadCutTest {
    private static final List<LoadJob> TABLES = List.of(
            LoadHouse.tableOf("shop", "customers", PublishMode.APPEND),
            LoadHouse.tableOf("shop", "orders", PublishMode.APPEND));

    @TempDir
    Path directory;

    private LoadHouse house;

    @BeforeEach
    void open() {
        house = new LoadHouse(directory);
        house.shop.execute(
                "create table customers (id bigint primary key, name text)",
                "insert into customers select n, 'c' || n from generate_series(1, 1000) as n",
                "create table orders (id bigint primary key, amount numeric(12, 2))",
                "insert into orders select n, n from generate_series(1, 3000) as n");
    }

    @AfterEach
    void close() {
        house.close();
    }

    private List<RunDetail> load(LoadListener listener) {
        try (Source source = house.source()) {
            return house.flow().load(source, TABLES, "monday", listener);
        }
    }

    private String rows(String table) {
        return house.query("sales." + table, "select count(*) from sales." + table);
    }

    @Test
    void allAreAuditedBeforeTheFirstIsPublished() {
        List<String> steps = new ArrayList<>();
        List<RunDetail> details = load(new LoadListener() {
            @Override
            public void audited(Run run) {
                steps.add("audited");
            }

            @Override
            public void published(Run run) {
                steps.add("published");
            }
        });

        assertThat(steps).containsExactly("audited", "audited", "published", "published");
        assertThat(details).hasSize(2).allSatisfy(detail -> {
            assertThat(detail.run().state()).isEqualTo(RunState.SUCCESS);
            assertThat(detail.cut()).hasSize(2);
        });
        assertThat(details.get(0).run().snapshot())
                .isEqualTo(details.get(1).run().snapshot());
        assertThat(rows("customers")).isEqualTo("1000");
        assertThat(rows("orders")).isEqualTo("3000");
    }

    @Test
    void oneThatFailsItsAuditKeepsTheOthersFromBeingPublished() {
        LoadListener damage = new LoadListener() {
            @Override
            public void staged(Run run, List<String> paths) {
                if (run.target().equals("sales.orders")) {
                    truncate(LocalFileIO.pathOf(paths.get(0)));
                }
            }
        };

        assertThatThrownBy(() -> load(damage))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_UNREADABLE));

        assertThat(house.ledger.runs(new RunFilter("shop", false, 10)))
                .extracting(Run::target, Run::state)
                .containsExactlyInAnyOrder(
                        tuple("sales.customers", RunState.FAILED_PUBLISH),
                        tuple("sales.orders", RunState.FAILED_STAGE_VALIDATION));
        assertThat(rows("customers")).isEqualTo("0");
        assertThat(rows("orders")).isEqualTo("0");
    }

    @Test
    void doesNotSayThatARunEndedWhichSomebodyElseGoesOnWith() {
        List<Run> ended = new ArrayList<>();
        LoadListener trouble = new LoadListener() {
            private @Nullable Run first;

            @Override
            public void extracted(Run run) {
                if (first == null) {
                    first = run;
                    Dispatch asked = house.ledger.detail(run.id()).dispatches().get(0);
                    assertThat(house.ledger.startStep(run.id(), asked.id(), "other"))
                            .isTrue();
                } else {
                    throw new WeirException(ErrorCode.SOURCE_UNREACHABLE, "Cannot go on: no line");
                }
            }

            @Override
            public void ended(Run run) {
                ended.add(run);
            }
        };

        assertThatThrownBy(() -> load(trouble)).hasMessage("Cannot go on: no line");

        assertThat(house.ledger.runs(new RunFilter("shop", true, 10)))
                .extracting(Run::target, Run::state)
                .containsExactly(tuple("sales.customers", RunState.STAGE_VALIDATING));
        assertThat(ended)
                .extracting(Run::target, Run::state)
                .containsExactly(tuple("sales.orders", RunState.FAILED_EXTRACT));
    }

    private static void truncate(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theFirstRunKeepsItsLeaseWhileTheOthersAreCreated() {
        CountDownLatch beat = new CountDownLatch(1);
        AtomicInteger created = new AtomicInteger();
        Ledger slow = LossyLedger.hooked(
                house.ledger,
                call -> {
                    if (call.equals("createRun") && created.incrementAndGet() == 2) {
                        await(beat);
                    }
                },
                call -> {
                    if (call.equals("heartbeatRun")) {
                        beat.countDown();
                    }
                });
        LoadSettings settings = LoadHouse.SETTINGS.withLease(Duration.ofSeconds(18));

        List<RunDetail> details;
        try (Source source = house.source()) {
            details = house.flow(slow, settings).load(source, TABLES, "monday", LoadHouse.SILENT);
        }

        assertThat(details)
                .extracting(detail -> detail.run().state())
                .containsExactly(RunState.SUCCESS, RunState.SUCCESS);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aCrashBetweenTwoPublishesIsFinishedByTheNextCommand() {
        LoadListener death = new LoadListener() {
            @Override
            public void published(Run run) {
                throw new Killed();
            }
        };
        assertThatThrownBy(() -> load(death)).isInstanceOf(Killed.class);
        assertThat(house.ledger.runs(new RunFilter("shop", true, 10)))
                .extracting(Run::state)
                .containsExactlyInAnyOrder(RunState.PUBLISHED, RunState.STAGING_VALIDATED);
        house.books.execute(
                "update weir.run set lease_until = clock_timestamp() - interval '1 second'");

        List<RunDetail> again = load(LoadHouse.SILENT);

        assertThat(again)
                .extracting(detail -> detail.run().state())
                .containsExactly(RunState.SUCCESS, RunState.SUCCESS);
        assertThat(house.ledger.runs(new RunFilter("shop", false, 10))).hasSize(2);
        assertThat(rows("customers")).isEqualTo("1000");
        assertThat(rows("orders")).isEqualTo("3000");
    }
}
