package io.weir.app.demo;

import io.weir.app.Composition;
import io.weir.app.console.TextTable;
import io.weir.app.console.Texts;
import io.weir.capture.Capture;
import io.weir.core.error.ErrorCode;
import io.weir.core.json.Json;
import io.weir.core.row.Balance;
import io.weir.core.run.Operator;
import io.weir.flow.load.Cancellation;
import io.weir.flow.merge.WindowMerge;
import io.weir.flow.replicate.ReplicateFlow;
import io.weir.flow.replicate.ReplicateJob;
import io.weir.flow.replicate.ReplicateReport;
import io.weir.flow.replicate.ReplicateTable;
import io.weir.flow.replicate.SourceBalance;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.Stop;
import io.weir.source.Source;
import io.weir.table.ReplicaTable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The second half of the story: follow a shop that changes, lose a change, stop, mend. */
final class LiveDemo {
    private static final int ROUNDS = 2;
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final String TABLE = "public.orders";
    private static final String TARGET = "live.orders";

    private final Composition house;
    private final DemoShop shop;
    private final ReplicateJob job;
    private final Story story;
    private final Cancellation cancellation;
    private final ReplicaBooks books;
    private final Source source;
    private final Capture capture;
    private final WindowWatch watch;

    LiveDemo(
            Composition house,
            DemoShop shop,
            ReplicateJob job,
            Story story,
            Cancellation cancellation) {
        this.house = house;
        this.shop = shop;
        this.job = job;
        this.story = story;
        this.cancellation = cancellation;
        this.books = house.ledger().replicas();
        this.source = house.source(job.source());
        this.capture = house.capture(job.source());
        this.watch = new WindowWatch(story);
    }

    void run() {
        mendWhatAnEarlierDemoLeft();
        follow();
        lose();
        rebuild();
    }

    private void mendWhatAnEarlierDemoLeft() {
        if (books.replications().stream().noneMatch(row -> row.job().equals(job.name()))) {
            return;
        }
        for (Replica replica : books.replicas(job.name())) {
            if (replica.stop() != null) {
                wishRebuild(replica.table());
            }
        }
    }

    private void follow() {
        story.say("4. Keep three tables equal in namespace live, while a writer changes the shop:"
                + " updates, inserts,\n   deletes, changed keys, and a price list that is truncated"
                + " and filled anew.\n");
        boolean verified;
        int transactions;
        try (ShopWriter writer = shop.write()) {
            verified = window(capture).isVerified();
            for (int round = 1; round <= ROUNDS; round++) {
                cancellation.await(BETWEEN);
                fillPricesAnew();
                verified &= window(capture).isVerified();
            }
            transactions = writer.end();
        }
        verified &= window(capture).isVerified();
        story.say("\nThe writer ended after " + Texts.count(transactions, "transaction")
                + ". Every row of the shop, read and added up, against the lake:\n");
        story.check("every window is verified", verified);
        story.check("replicated tables equal the source", isEqual());
    }

    /** As one transaction, in which readers of the lake never see an empty list. */
    private void fillPricesAnew() {
        shop.execute("begin;"
                + " create temporary table old on commit drop as select * from prices;"
                + " truncate prices;"
                + " insert into prices select product, price + 0.01, valid_from + interval '1 day'"
                + " from old;"
                + " commit");
    }

    private void lose() {
        long id = shop.number("select min(id) from orders where id >= 400000");
        story.say("\n5. Lose one change: of two updates of order " + id + " the first never reaches"
                + " the change log.\n   No count differs, and the second update looks like any"
                + " other.\n");
        ReplicaTable before = house.catalog().replica(TARGET);
        shop.execute(
                "update orders set amount = amount + 100 where id = " + id,
                "update orders set status = 'returned' where id = " + id,
                "update customers set vip = not vip where id = 1");
        LosingCapture losing = new LosingCapture(capture, TABLE, "id", id);
        ReplicateReport report = window(losing);
        Replica stopped = books.replica(TARGET);
        Stop stop = stopped.stop();
        story.check(
                "a lost change stops its table",
                losing.hasLost()
                        && stopped.state() == ReplicaState.STOPPED
                        && stop != null
                        && stop.code().equals(ErrorCode.MERGE_CHAIN_BROKEN.name()));
        story.check(
                "the stop names table, key, expected, found and the command",
                stop != null
                        && List.of(TARGET, "id=" + id, "expected=", "found=").stream()
                                .allMatch(stop.message()::contains)
                        && stop.command().contains("weir rebuild " + TARGET));
        story.check("nothing is published after the stop", isUntouched(before));
        ReplicaCut cut = watch.cut();
        story.check(
                "the other tables go on",
                cut != null
                        && cut.missing().equals(List.of(TABLE))
                        && report.replicas().stream()
                                .filter(row -> !row.table().equals(TABLE))
                                .allMatch(report::isThere));
    }

    /** Main is the snapshot that it was, and its rows, measured, add up as before. */
    private boolean isUntouched(ReplicaTable before) {
        ReplicaTable now = house.catalog().replica(TARGET);
        boolean same = now.state().snapshotId() == before.state().snapshotId()
                && now.state().balance().equals(before.state().balance())
                && measured(now).equals(before.state().balance());
        story.say("\nReaders of " + TARGET + " see snapshot " + now.state().snapshotId()
                + " as before the loss, balance " + now.state().balance() + ".");
        return same;
    }

    private void rebuild() {
        story.say("\n6. ./weir rebuild " + TARGET + ", and one window more.\n");
        wishRebuild(TABLE);
        ReplicateReport report = window(capture);
        story.say("");
        boolean equal = isEqual();
        story.check("the rebuilt table equals the source", report.isVerified() && equal);
    }

    private void wishRebuild(String table) {
        books.rebuild(job.name(), table, new Operator("demo", "a change was lost on purpose"));
    }

    /** One window up to now, and how far behind the shop it left the lake. */
    private ReplicateReport window(Capture from) {
        PostgresLedger ledger = house.ledger();
        ReplicateFlow flow = new ReplicateFlow(
                ledger,
                ledger,
                books,
                house.catalog(),
                house.engine(),
                house.replicateSettings(Runtime.getRuntime().availableProcessors()),
                UUID::randomUUID,
                () -> ThreadLocalRandom.current().nextDouble(),
                InstantSource.system(),
                cancellation);
        long changes = watch.changes();
        long begun = System.nanoTime();
        ReplicateReport report = flow.once(job, source, from, watch);
        Duration lag = Duration.ofNanos(System.nanoTime() - begun);
        long behind = Math.max(0, shop.logEnd() - report.to().place());
        story.document(Json.object()
                .put("step", "window")
                .put("position", report.to().position())
                .put("changes", watch.changes() - changes)
                .put("lag_ms", lag.toMillis())
                .put("bytes_behind", behind));
        ReplicaCut cut = Objects.requireNonNull(watch.cut());
        story.say("cut " + cut.number() + " at " + cut.at().position() + ": "
                + (cut.tables() - cut.missing().size()) + " of " + cut.tables() + " tables"
                + (cut.missing().isEmpty() ? "" : ", missing " + String.join(", ", cut.missing()))
                + "; " + Texts.count(watch.changes() - changes, "change") + ", lag "
                + Texts.duration(lag) + ", " + Texts.bytes(behind) + " of log written since");
        return report;
    }

    /** Reads both sides whole; nobody may write meanwhile. */
    private boolean isEqual() {
        boolean equal = true;
        TextTable text = new TextTable(List.of("table", "changes", "", "rows:balance"));
        for (ReplicateTable table : job.tables()) {
            ReplicaTable target = house.catalog().replica(table.target());
            Balance there = SourceBalance.of(source, table.spec(), target.rows());
            Balance here = measured(target);
            String changes = Texts.count(watch.changes(table.spec().table()));
            text.add(List.of(table.target(), changes, "source", there.toString()));
            text.add(List.of("", "", "lake", here.toString()));
            equal &= there.equals(here) && here.equals(target.state().balance());
        }
        story.say(text.toString());
        return equal;
    }

    private Balance measured(ReplicaTable target) {
        return new WindowMerge(house.engine())
                .measure(target, target.state().snapshotId())
                .balance();
    }
}
