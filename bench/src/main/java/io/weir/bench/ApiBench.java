package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.app.Weir;
import io.weir.bench.Clients.Call;
import io.weir.ledger.embedded.EmbeddedServer;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * What a flow calls most, over HTTP: server, PostgreSQL and callers are processes of one machine.
 * Turns and pgbench as in {@link LedgerBench}.
 */
final class ApiBench implements Bench {
    private static final int SECONDS = 6;
    private static final int SECONDS_QUICK = 3;
    private static final int CLIENTS = 8;
    private static final int CLIENTS_MANY = 32;
    private static final int BATCH = 20;
    private static final int CALLS = 200;
    private static final int CALLS_BATCH = 50;

    /** More than a client can use up in its time. */
    private static final int CLAIMS_PER_SECOND = 850;

    private static final int PARTITIONS = 48;
    private static final int BUFFERED = 10_000;

    private final Path home;
    private final EmbeddedServer postgres;
    private final PgBench pgbench;
    private final ApiServer server;
    private final OutsideCaller caller;
    private final int seconds;

    private ApiBench(Path directory, int seconds) throws IOException {
        this.seconds = seconds;
        this.home = directory.resolve("home");
        this.postgres = EmbeddedServer.attach(
                home.resolve("pg"), Map.of("shared_buffers", "256MB", "max_wal_size", "4GB"));
        this.pgbench = new PgBench(postgres);
        this.server = new ApiServer(home);
        server.start();
        this.caller = new OutsideCaller(server.address(), token(home));
    }

    static ApiBench open(Path directory, boolean quick) throws IOException {
        return new ApiBench(directory, quick ? SECONDS_QUICK : SECONDS);
    }

    private static String token(Path home) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] words = {"token", "create", "bench", "--role", "worker", "--home", home.toString()
        };
        if (Weir.run(words, new PrintWriter(out), new PrintWriter(err)) != 0) {
            throw new IllegalStateException("Cannot make a token: " + err);
        }
        return out.toString().strip();
    }

    private Map<String, Rounds.Side> sides() {
        Map<String, Rounds.Side> sides = new LinkedHashMap<>();
        sides.put("report", () -> reports(CLIENTS, 1, 1, CALLS));
        sides.put("batch20_chunks", () -> reports(CLIENTS, 1, BATCH, CALLS_BATCH));
        sides.put("claim", this::claims);
        sides.put("one_run", () -> reports(CLIENTS_MANY, 1, 1, CALLS));
        sides.put("many_runs", () -> reports(CLIENTS_MANY, CLIENTS_MANY, 1, CALLS));
        return sides;
    }

    private List<Call> reports(int clients, int spread, int batch, int calls) {
        List<OutsideCaller.Run> runs = new ArrayList<>();
        for (int i = 0; i < spread; i++) {
            runs.add(caller.create(PARTITIONS * clients / spread));
        }
        List<Call> reporters = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int first = i / spread * PARTITIONS;
            reporters.add(caller.reports(runs.get(i % spread), first, batch, calls));
        }
        return reporters;
    }

    private List<Call> claims() {
        List<Call> claimers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int claims = CLAIMS_PER_SECOND * seconds;
            claimers.add(caller.claims(caller.create(claims), claims));
        }
        return claimers;
    }

    @Override
    public ObjectNode run(Consumer<String> progress) throws Exception {
        Rounds rounds = new Rounds(pgbench, CLIENTS, seconds, progress);
        ObjectNode json = rounds.measure("api", sides(), List.of("one_run"), ApiBench::ratios);
        progress.accept("draining");
        double drain = drain();
        ObjectNode figures = (ObjectNode) json.get("figures");
        figures.put("drain_s", drain).put("drain_refused", caller.refused());
        return json;
    }

    private static Map<String, Double> ratios(Map<String, Double> rates) {
        double simple = rates.getOrDefault(Rounds.SIMPLE, 0.0);
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (String side : List.of("report", "batch20_chunks", "claim")) {
            ratios.put(side + "_over_simple_update", rates.getOrDefault(side, 0.0) / simple);
        }
        ratios.put(
                "one_run_over_many",
                rates.getOrDefault("one_run", 0.0) / rates.getOrDefault("many_runs", 0.0));
        return ratios;
    }

    /**
     * Stops the server, lets callers have reports that nobody takes, starts it again.
     *
     * @return seconds from the start of its process until every report was acknowledged
     */
    private double drain() throws Exception {
        List<Call> reporters = reports(CLIENTS, 1, 1, CALLS);
        server.stop();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> buffers = new ArrayList<>();
            for (Call reporter : reporters) {
                buffers.add(threads.submit(() -> caller.untilTaken(reporter, BUFFERED / CLIENTS)));
            }
            return Clock.seconds(() -> {
                server.start();
                for (Future<?> buffer : buffers) {
                    buffer.get();
                }
            });
        } finally {
            threads.shutdownNow();
        }
    }

    @Override
    public void close() {
        server.stop();
        EmbeddedServer.stop(home.resolve("pg"));
    }
}
