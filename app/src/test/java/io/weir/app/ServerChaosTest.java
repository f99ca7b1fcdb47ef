package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.StubbornFlow.Entry;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.proxy.Ending;
import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Flows drive runs through two servers that are killed while they work, over a line to the ledger
 * that breaks. {@code docs/chaos.md} says how to run it for longer.
 */
@Timeout(3600)
class ServerChaosTest {
    private static final long SEED = Long.getLong("weir.chaos.seed", 20_261_130);
    private static final long SECONDS = Long.getLong("weir.chaos.servers.seconds", 6);
    private static final int FLOWS = 3;
    private static final int QUIET_MS = 1_000;

    /** What can happen. */
    private enum Blow {
        KILL_FIRST,
        KILL_SECOND,
        CUT,
        LOSE_COMMIT_REPLY,
        REFUSE
    }

    @TempDir
    Path directory;

    @Test
    void booksAreRightAfterServersDied(TestReporter reporter) throws Exception {
        reporter.publishEntry("weir.chaos.seed", Long.toString(SEED));
        CommandLineHouse house = new CommandLineHouse(directory);
        String direct = house.jobFile().toString();
        TestDatabase books = house.books;
        String token = house.weir("token", "create", "flow", "--role", "worker", "-f", direct)
                .out()
                .strip();
        ExecutorService threads = Executors.newFixedThreadPool(FLOWS);
        CountDownLatch over = new CountDownLatch(1);
        try (FaultProxy line = FaultProxy.start(Protocol.POSTGRESQL, books.host(), books.port());
                ServerPair servers = new ServerPair(directory, proxied(house, line))) {
            List<StubbornFlow> flows = new ArrayList<>();
            List<Future<?>> driven = new ArrayList<>();
            for (int i = 0; i < FLOWS; i++) {
                StubbornFlow flow = new StubbornFlow(servers, token, "FLOW_" + i, SEED + i);
                flows.add(flow);
                driven.add(threads.submit(() -> flow.driveUntil(() -> over.getCount() == 0)));
            }
            Map<Blow, Integer> dealt = rage(servers, line, over);
            for (Future<?> flow : driven) {
                flow.get();
            }
            reporter.publishEntry("blows", dealt.toString());
            reporter.publishEntry(
                    "calls made again",
                    "" + flows.stream().mapToInt(StubbornFlow::repeated).sum());
            assertThat(dealt).containsKeys(Blow.KILL_FIRST, Blow.KILL_SECOND);
            List<Entry> journal =
                    flows.stream().flatMap(flow -> flow.journal().stream()).toList();
            reporter.publishEntry("runs", "" + journal.size());
            assertThat(journal).hasSizeGreaterThanOrEqualTo(FLOWS);
            journal.forEach(entry -> check(books, entry));
            assertThat(books.text("select count(*) from weir.outside_run"))
                    .isEqualTo("" + journal.size());
            assertThat(servers.complaints()).doesNotContain("LEDGER_INVARIANT", "INTERNAL");
        } finally {
            over.countDown();
            threads.shutdownNow();
        }
        CommandLineHouse.Output fsck = house.weir("fsck", "-f", direct);
        assertThat(fsck.exitCode()).as(fsck.out() + fsck.err()).isZero();
    }

    private static Path proxied(CommandLineHouse house, FaultProxy line) {
        TestDatabase books = house.books;
        return house.write("proxied.yaml", """
                ledger: { url: "jdbc:postgresql://%s:%d/%s", user: %s, password: %s }
                lake: { warehouse: ./lake }
                sources:
                  shop: { url: "%s", user: %s, password: "%s" }
                jobs:
                %s""".formatted(
                        line.host(),
                        line.port(),
                        books.name(),
                        books.user(),
                        books.password(),
                        house.shop.url(),
                        house.shop.user(),
                        house.shop.password(),
                        CommandLineHouse.job("orders", "public.orders", "sales.orders", "")));
    }

    /** Each kind is dealt before any comes again; both servers die at least once. */
    private static Map<Blow, Integer> rage(ServerPair servers, FaultProxy line, CountDownLatch over)
            throws InterruptedException {
        Random random = new Random(SEED);
        Map<Blow, Integer> dealt = new TreeMap<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        do {
            List<Blow> deck = new ArrayList<>(List.of(Blow.values()));
            Collections.shuffle(deck, random);
            for (Blow blow : deck) {
                over.await(random.nextInt(QUIET_MS), TimeUnit.MILLISECONDS);
                strike(blow, servers, line, over);
                line.pass();
                line.startOver();
                dealt.merge(blow, 1, Integer::sum);
            }
        } while (System.nanoTime() < end);
        over.countDown();
        return dealt;
    }

    private static void strike(Blow blow, ServerPair servers, FaultProxy line, CountDownLatch over)
            throws InterruptedException {
        switch (blow) {
            case KILL_FIRST -> again(servers, 0);
            case KILL_SECOND -> again(servers, 1);
            case CUT -> line.cutAll(Ending.RESET);
            case LOSE_COMMIT_REPLY -> {
                line.onCommit(Fault.CUT_AFTER);
                line.onCommit(Fault.CUT_BEFORE);
                over.await(QUIET_MS, TimeUnit.MILLISECONDS);
            }
            case REFUSE -> {
                line.refuse();
                line.cutAll(Ending.RESET);
                over.await(QUIET_MS, TimeUnit.MILLISECONDS);
            }
        }
    }

    private static void again(ServerPair servers, int index) throws InterruptedException {
        servers.kill(index);
        servers.start(index);
    }

    /** What a flow was told is what the ledger holds, once. */
    private static void check(TestDatabase books, Entry entry) {
        String run = "where run_id = '" + entry.run() + "'";
        assertThat(entry.state()).isEqualTo("SUCCESS");
        assertThat(books.text("select state || ' ' || extracted_rows from weir.outside_run"
                        + " where id = '" + entry.run() + "'"))
                .isEqualTo("SUCCESS "
                        + StubbornFlow.PARTITIONS * StubbornFlow.CHUNKS * StubbornFlow.ROWS);
        assertThat(books.text("select string_agg(path, ',' order by path collate \"C\")"
                        + " from weir.outside_chunk " + run + " and state = 'WRITTEN'"))
                .isEqualTo(String.join(",", entry.paths()));
        assertThat(books.text("select count(*) from weir.outside_chunk " + run))
                .isEqualTo("" + entry.paths().size());
        assertThat(books.text(
                        "select string_agg(kind || cycle, ',') from weir.outside_dispatch " + run))
                .isEqualTo("VALIDATE_RUN1");
        assertThat(books.text("select string_agg(name || ' ' || count, ',' order by name) from ("
                        + "select name, count(*) as count from weir.outside_event " + run
                        + " group by name) as told"))
                .contains(
                        "EXTRACT_VALIDATED 1,",
                        "PARTITION_STARTED " + StubbornFlow.PARTITIONS,
                        "PARTITION_SUCCESS " + StubbornFlow.PARTITIONS,
                        "PUBLISH_STARTED 1");
    }
}
