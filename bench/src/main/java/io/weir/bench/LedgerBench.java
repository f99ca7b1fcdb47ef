package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.bench.Clients.Call;
import io.weir.core.json.Json;
import io.weir.core.run.RunId;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.embedded.EmbeddedServer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Commands of the ledger per second, next to the transactions per second of pgbench's simple-update
 * on the same durable server in the same minute: one row updated, one read, one inserted, one
 * commit. In each round every side takes its turn and pgbench is measured before and after them.
 */
final class LedgerBench implements Bench {
    private static final int ROUNDS = 3;
    private static final int SECONDS = 6;
    private static final int SECONDS_QUICK = 3;
    private static final int CLIENTS = 8;
    private static final int CLIENTS_MANY = 32;
    private static final int BATCH = 20;
    private static final String DATABASE = "bench";
    private static final String SIMPLE = "simple_update_per_s";

    /** More than a client can use up in its time. */
    private static final int CLAIMS = 1200;

    private static final int PARTITIONS = 24;
    private static final int PARTITIONS_MANY = 12;
    private static final int CALLS = 100;
    private static final int CALLS_BATCH = 10;

    private final Path directory;
    private final EmbeddedServer server;
    private final PostgresLedger ledger;
    private final LedgerRuns runs;
    private final PgBench pgbench;
    private final int seconds;

    private LedgerBench(Path directory, int seconds) {
        this.directory = directory;
        this.seconds = seconds;
        this.server = EmbeddedServer.attach(
                directory.resolve("pg"), Map.of("shared_buffers", "256MB", "max_wal_size", "4GB"));
        server.createDatabase(DATABASE);
        this.ledger = PostgresLedger.open(
                server.url(DATABASE),
                server.user(),
                server.password(),
                LedgerSettings.DEFAULTS.withConnectionsMax(CLIENTS_MANY));
        this.runs = new LedgerRuns(ledger);
        this.pgbench = new PgBench(server);
    }

    static LedgerBench open(Path directory, boolean quick) {
        return new LedgerBench(directory, quick ? SECONDS_QUICK : SECONDS);
    }

    private interface Side {
        List<Call> clients();
    }

    private Map<String, Side> sides() {
        Map<String, Side> sides = new LinkedHashMap<>();
        sides.put("report", () -> reports(CLIENTS, 1, PARTITIONS, 1, CALLS));
        sides.put("batch20_chunks", () -> reports(CLIENTS, 1, PARTITIONS * 2, BATCH, CALLS_BATCH));
        sides.put("claim", this::claims);
        sides.put("claim_next", this::queue);
        sides.put("one_run", () -> reports(CLIENTS_MANY, 1, PARTITIONS_MANY, 1, CALLS));
        sides.put(
                "many_runs", () -> reports(CLIENTS_MANY, CLIENTS_MANY, PARTITIONS_MANY, 1, CALLS));
        return sides;
    }

    private List<Call> reports(int clients, int spread, int partitions, int batch, int calls) {
        List<RunId> ids = new ArrayList<>();
        for (int i = 0; i < spread; i++) {
            ids.add(runs.create(partitions * clients / spread));
        }
        List<Call> reporters = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int first = i / spread * partitions;
            reporters.add(runs.reports(ids.get(i % spread), first, partitions, batch, calls));
        }
        return reporters;
    }

    private List<Call> claims() {
        RunId id = runs.create(CLAIMS * CLIENTS);
        List<Call> claimers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            claimers.add(runs.claims(id, i * CLAIMS, CLAIMS));
        }
        return claimers;
    }

    private List<Call> queue() {
        RunId id = runs.create(CLAIMS * CLIENTS);
        List<Call> claimers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            claimers.add(runs.queue(id));
        }
        return claimers;
    }

    @Override
    public ObjectNode run(Consumer<String> progress) throws Exception {
        progress.accept("filling");
        pgbench.fill();
        progress.accept("warming up");
        pgbench.simpleUpdate(CLIENTS, seconds);
        for (Side side : sides().values()) {
            Clients.rate(side.clients(), seconds);
        }
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        Map<String, List<Double>> ratios = new LinkedHashMap<>();
        double before = pgbench.simpleUpdate(CLIENTS, seconds);
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, Double> now = new LinkedHashMap<>();
            for (Map.Entry<String, Side> side : sides().entrySet()) {
                List<Call> clients = side.getValue().clients();
                now.put(side.getKey(), Clients.rate(clients, seconds));
            }
            double after = pgbench.simpleUpdate(CLIENTS, seconds);
            now.put(SIMPLE, (before + after) / 2);
            before = after;
            now.forEach((name, rate) ->
                    rates.computeIfAbsent(name, key -> new ArrayList<>()).add(rate));
            ratios(now)
                    .forEach((name, ratio) -> ratios.computeIfAbsent(name, key -> new ArrayList<>())
                            .add(ratio));
            progress.accept("round " + round + ": " + text(now) + " " + text(ratios(now)));
        }
        ObjectNode json = Json.object().put("bench", "ledger");
        ObjectNode compared = json.putObject("ratios");
        ratios.forEach((name, values) -> compared.put(name, Clock.median(values)));
        ObjectNode figures = json.putObject("figures");
        rates.forEach((name, values) -> figures.put(
                name.endsWith("_per_s") ? name : name + "_per_s",
                Math.round(Clock.median(values))));
        return json;
    }

    /** Of one round: what was measured in the same minute. */
    private static Map<String, Double> ratios(Map<String, Double> rates) {
        double simple = rates.getOrDefault(SIMPLE, 0.0);
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (String side : List.of("report", "batch20_chunks", "claim", "claim_next")) {
            ratios.put(side + "_over_simple_update", rates.getOrDefault(side, 0.0) / simple);
        }
        ratios.put(
                "one_run_over_many",
                rates.getOrDefault("one_run", 0.0) / rates.getOrDefault("many_runs", 0.0));
        return ratios;
    }

    private static String text(Map<String, Double> values) {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (name, value) -> text.append(String.format(Locale.ROOT, " %s=%.2f", name, value)));
        return text.toString();
    }

    @Override
    public void close() {
        ledger.close();
        EmbeddedServer.stop(directory.resolve("pg"));
    }
}
