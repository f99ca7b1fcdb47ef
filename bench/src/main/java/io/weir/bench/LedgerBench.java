package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.bench.Clients.Call;
import io.weir.core.run.RunId;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.embedded.EmbeddedServer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Commands of the ledger per second, next to the transactions per second of pgbench's simple-update
 * on the same durable server in the same minute: one row updated, one read, one inserted, one
 * commit. In each round every side takes its turn and pgbench is measured before and after them.
 */
final class LedgerBench implements Bench {
    private static final int SECONDS = 6;
    private static final int SECONDS_QUICK = 3;
    private static final int CLIENTS = 8;
    private static final int CLIENTS_MANY = 32;
    private static final int BATCH = 20;
    private static final String DATABASE = "bench";

    /** More than a client can use up in its time. */
    private static final int CLAIMS_PER_SECOND = 1600;

    private static final int CLAIMS_NEXT = 1200;

    private static final int PARTITIONS = 96;
    private static final int PARTITIONS_MANY = 36;
    private static final int CALLS = 100;
    private static final int CALLS_BATCH = 20;

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

    private Map<String, Rounds.Side> sides() {
        Map<String, Rounds.Side> sides = new LinkedHashMap<>();
        sides.put("report", () -> reports(CLIENTS, 1, PARTITIONS, 1, CALLS));
        sides.put("batch20_chunks", () -> reports(CLIENTS, 1, PARTITIONS, BATCH, CALLS_BATCH));
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
        List<Call> claimers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int claims = CLAIMS_PER_SECOND * seconds;
            claimers.add(runs.claims(runs.create(claims), 0, claims));
        }
        return claimers;
    }

    private List<Call> queue() {
        RunId id = runs.create(CLAIMS_NEXT * CLIENTS);
        List<Call> claimers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            claimers.add(runs.queue(id));
        }
        return claimers;
    }

    @Override
    public ObjectNode run(Consumer<String> progress) throws Exception {
        return new Rounds(pgbench, CLIENTS, seconds, progress)
                .measure("ledger", sides(), List.of("one_run"), LedgerBench::ratios);
    }

    /** Of one round: what was measured in the same minute. */
    private static Map<String, Double> ratios(Map<String, Double> rates) {
        double simple = rates.getOrDefault(Rounds.SIMPLE, 0.0);
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (String side : List.of("report", "batch20_chunks", "claim", "claim_next")) {
            ratios.put(side + "_over_simple_update", rates.getOrDefault(side, 0.0) / simple);
        }
        ratios.put(
                "one_run_over_many",
                rates.getOrDefault("one_run", 0.0) / rates.getOrDefault("many_runs", 0.0));
        return ratios;
    }

    @Override
    public void close() {
        ledger.close();
        EmbeddedServer.stop(directory.resolve("pg"));
    }
}
