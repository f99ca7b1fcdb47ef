package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Operator;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.source.Source;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A worker beside the command that began the load: it shares the work, and goes on without it. */
class LoadWorkerTest {
    private static final LoadJob ORDERS = LoadHouse.job("orders", PublishMode.APPEND);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private LoadHouse house;
    private Source shop;
    private final Cancellation stop = new Cancellation();
    private Thread worker;

    @BeforeEach
    void open() {
        house = new LoadHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2))",
                "insert into orders select n, n from generate_series(1, 60000) as n");
        shop = house.source();
        worker = new Thread(() -> house.worker(shop, stop).run(LoadHouse.SILENT), "helper");
    }

    @AfterEach
    void close() throws InterruptedException {
        stop.request();
        worker.join();
        shop.close();
        house.close();
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private Run run() {
        return house.ledger.runs(new RunFilter("orders", false, 1)).get(0);
    }

    private void awaitState(RunId id, RunState state) {
        await().atMost(PATIENCE).until(() -> house.ledger.detail(id).run().state() == state);
    }

    private String rows() {
        return house.query("sales.orders", "select count(*) from sales.orders");
    }

    @Test
    void finishesWhatTheCoordinatorLeftAfterReading() {
        assertThatThrownBy(() -> house.load(ORDERS, "monday", new LoadListener() {
                    @Override
                    public void extracted(Run run) {
                        throw new Killed();
                    }
                }))
                .isInstanceOf(Killed.class);
        RunId id = run().id();
        assertThat(run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);

        worker.start();

        awaitState(id, RunState.SUCCESS);
        assertThat(rows()).isEqualTo("60000");
        assertThat(house.ledger.workers())
                .anySatisfy(sign -> assertThat(sign.name()).isEqualTo("helper"));
    }

    @Test
    void readsTheRestAtTheSameSnapshotWhenTheCoordinatorDiesWhileReading() {
        CountDownLatch helped = new CountDownLatch(1);
        assertThatThrownBy(() -> house.load(ORDERS, "monday", new LoadListener() {
                    @Override
                    public void planned(Run run, List<PartitionProgress> partitions) {
                        house.shop.execute("delete from orders where id % 2 = 0");
                        house.shop.execute("update orders set amount = -1");
                        worker.start();
                        awaitHolders(run.id(), 2);
                        helped.countDown();
                        throw new Killed();
                    }
                }))
                .isInstanceOf(Killed.class);
        assertThat(helped.getCount()).isZero();
        RunId id = run().id();

        awaitState(id, RunState.SUCCESS);

        RunDetail detail = house.ledger.detail(id);
        assertThat(detail.partitions())
                .extracting(Partition::worker)
                .allSatisfy(name -> assertThat(name).startsWith("helper/"));
        assertThat(rows()).isEqualTo("60000");
        assertThat(house.query("sales.orders", "select sum(amount) from sales.orders"))
                .isEqualTo("1800030000.00");
    }

    private void awaitHolders(RunId id, int count) {
        await().atMost(PATIENCE)
                .until(() -> house.ledger.detail(id).holders().size() == count
                        || house.ledger.detail(id).run().state() != RunState.EXTRACTING);
    }

    @Test
    void stopsReadingForARunThatSomebodyCancelled() {
        CountDownLatch planned = new CountDownLatch(1);
        assertThatThrownBy(() -> house.load(ORDERS, "monday", new LoadListener() {
                    @Override
                    public void planned(Run run, List<PartitionProgress> partitions) {
                        house.ledger.cancelRun(
                                run.id(), RunState.EXTRACTING, new Operator("ann", "wrong day"));
                        planned.countDown();
                    }
                }))
                .hasMessageContaining("cancelled by ann: wrong day");

        assertThat(run().state()).isEqualTo(RunState.CANCELLED);
        assertThat(house.ledger.events(run().id()))
                .anySatisfy(event -> assertThat(event.name()).isEqualTo("RUN_CANCELLED"));
        assertThat(rows()).isEqualTo("0");
    }
}
