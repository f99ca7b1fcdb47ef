package io.weir.server;

import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.access.AccessBooks;
import io.weir.ledger.fsck.Finding;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.RunQuery;
import io.weir.ledger.watch.ReplicaWatch;
import io.weir.ledger.watch.RunWatch;
import io.weir.ledger.watch.WatchBooks;
import io.weir.server.access.Guard;
import io.weir.server.access.TokenRoutes;
import io.weir.server.http.Front;
import io.weir.server.ledger.LedgerRoutes;
import io.weir.server.metric.ServerMetrics;
import io.weir.server.openapi.OpenApi;
import io.weir.server.outside.FlowRoutes;
import io.weir.server.outside.OperatorRoutes;
import io.weir.server.receiver.AddressGuard;
import io.weir.server.receiver.Deliveries;
import io.weir.server.receiver.HostNames;
import io.weir.server.receiver.ReceiverClient;
import io.weir.server.route.Reply;
import io.weir.server.route.Route;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One server over one ledger: routes, deliveries and sweeps. Any number may run; none leads, and
 * each can be killed at any time.
 */
public final class WeirServer implements AutoCloseable {
    private static final long CLOSE_SECONDS = 10;
    private static final int SWEEP_TURNS = 5;
    private static final long INSPECT_MINUTES = 60;
    private static final String SCRAPED = "text/plain; version=0.0.4; charset=utf-8";
    private static final Logger LOG = LoggerFactory.getLogger(WeirServer.class);

    private final PostgresLedger own;
    private final OutsideLedger ledger;
    private final WatchBooks watched;
    private final RunWatch runs;
    private final ReplicaWatch windows;
    private final Readiness readiness;
    private final ServerMetrics metrics = new ServerMetrics();
    private final List<Route> routes;
    private final @Nullable Deliveries deliveries;
    private final Front front;
    private final ScheduledExecutorService loops;
    private final List<ScheduledFuture<?>> repeated = new ArrayList<>();

    private WeirServer(
            PostgresLedger own,
            OutsideLedger ledger,
            AccessBooks access,
            ServerSettings settings,
            Supplier<UUID> ids,
            Supplier<byte[]> chance) {
        this.own = own;
        this.ledger = ledger;
        this.watched = own.watch(metrics.watch());
        this.runs = new RunWatch(watched);
        this.windows = new ReplicaWatch(watched);
        this.readiness = new Readiness(() -> ledger.runs(new RunQuery(null, null, null, 1)));
        this.routes = routes(own, access, chance);
        String receiver = settings.receiver();
        this.deliveries = receiver == null
                ? null
                : new Deliveries(
                        ledger.outbox(),
                        new ReceiverClient(
                                receiver,
                                new AddressGuard(settings.receiverHosts(), HostNames.SYSTEM),
                                settings.receiverTimeout()),
                        metrics);
        this.front = Front.start(routes, new Guard(access), metrics, ids, settings.listen());
        this.loops = Executors.newScheduledThreadPool(2, task -> {
            Thread thread = new Thread(task, "weir-server-loop");
            thread.setDaemon(true);
            return thread;
        });
        Duration pause = settings.pause();
        if (pause != null) {
            repeat("deliver the outbox", pause, this::deliver);
            repeat("look after outside runs", pause.multipliedBy(SWEEP_TURNS), this::sweep);
            repeated.add(loops.scheduleWithFixedDelay(
                    () -> guarded("inspect the ledger", this::inspect),
                    INSPECT_MINUTES,
                    INSPECT_MINUTES,
                    TimeUnit.MINUTES));
        }
    }

    /**
     * Starts to listen and, if the settings say so, to deliver and sweep.
     *
     * @param own the books of our own runs, for workers that come over HTTP
     * @param ledger the books of outside runs
     * @param ids names of calls
     * @param chance bytes for new tokens, from a cryptographic source
     * @throws WeirException SERVER_INSECURE, RECEIVER_NOT_ALLOWED, CONFIG_INVALID
     */
    public static WeirServer start(
            PostgresLedger own,
            OutsideLedger ledger,
            AccessBooks access,
            ServerSettings settings,
            Supplier<UUID> ids,
            Supplier<byte[]> chance) {
        return new WeirServer(own, ledger, access, settings, ids, chance);
    }

    private List<Route> routes(PostgresLedger own, AccessBooks access, Supplier<byte[]> chance) {
        List<Route> all = new ArrayList<>();
        all.addAll(new FlowRoutes(ledger, metrics).all());
        all.addAll(new OperatorRoutes(ledger).all());
        all.addAll(LedgerRoutes.of(own, access));
        all.addAll(new TokenRoutes(access, chance).all());
        all.add(Route.open("/healthz", "Says that the process is up.", call -> up()));
        all.add(Route.open("/livez", "Says that the process is up.", call -> up()));
        all.add(Route.open("/readyz", "Says that the ledger answers.", call -> ready()));
        all.add(Route.open(
                "/metrics",
                "Shows figures for Prometheus.",
                call -> Reply.text(SCRAPED, metrics.scrape())));
        all.add(Route.open(
                "/openapi.json", "Describes the API.", call -> Reply.ok(OpenApi.of(all))));
        return all;
    }

    private static Reply up() {
        return Reply.ok(Json.object().put("status", "ok"));
    }

    private Reply ready() {
        readiness.check();
        return up();
    }

    /** Everything that it answers to. */
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    public int port() {
        return front.port();
    }

    /** Delivers what is due now; how many rows. */
    public int deliver() {
        return deliveries == null ? 0 : deliveries.deliverDue();
    }

    /** Looks after runs whose time is over, and at the whole; one word for each change. */
    public synchronized List<String> sweep() {
        List<String> actions = ledger.sweep();
        metrics.swept(actions);
        metrics.look(ledger.summary());
        metrics.look(runs.look(), watched.glance());
        metrics.replicated(watched.replicas(), windows.look(), watched.openWindows());
        return actions;
    }

    /** Asks every invariant of the ledger; how many violations there are. */
    public int inspect() {
        List<Finding> findings = own.fsck();
        metrics.inspected(findings);
        return findings.stream().mapToInt(finding -> finding.rows().size()).sum();
    }

    private void repeat(String doing, Duration pause, Runnable turn) {
        repeated.add(loops.scheduleWithFixedDelay(
                () -> guarded(doing, turn), 0, pause.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static void guarded(String doing, Runnable turn) {
        try {
            turn.run();
        } catch (WeirException e) {
            LOG.atWarn().addKeyValue("code", e.code()).log("Cannot {}: {}", doing, e.text());
        } catch (RuntimeException e) {
            // A bug in one turn must not end the loop for the life of the process.
            LOG.atError().setCause(e).log("Cannot {}", doing);
        }
    }

    /** Answers no more; what is under way comes to its end. */
    @Override
    public void close() {
        front.close();
        readiness.close();
        repeated.forEach(loop -> loop.cancel(false));
        loops.shutdown();
        try {
            if (!loops.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("A loop is still at its turn");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (deliveries != null) {
            deliveries.close();
        }
    }
}
