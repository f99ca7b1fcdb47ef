package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.bench.Clients.Call;
import io.weir.bench.Clients.Pace;
import io.weir.core.json.Json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Sides that take turns with pgbench, which is measured before and after each round. What comes out
 * are medians of the rounds.
 */
final class Rounds {
    /** Under which a round finds what pgbench did. */
    static final String SIMPLE = "simple_update_per_s";

    private static final int ROUNDS = 3;

    /** Most turns before the first that counts; a quick bench has to end within three minutes. */
    private static final int WARM_TURNS = 4;

    private static final double FASTER = 1.05;
    private static final double HUNDRED = 100;

    private final PgBench pgbench;
    private final int clients;
    private final int seconds;
    private final Consumer<String> progress;

    /**
     * Prepares.
     *
     * @param clients of pgbench
     * @param seconds of each turn
     */
    Rounds(PgBench pgbench, int clients, int seconds, Consumer<String> progress) {
        this.pgbench = pgbench;
        this.clients = clients;
        this.seconds = seconds;
        this.progress = progress;
    }

    /** Makes the clients of one turn. */
    interface Side {
        List<Call> clients();
    }

    /**
     * Measures all sides.
     *
     * @param again the sides that have a second turn at the end of a round, so that what they are
     *     compared with comes between their two; the mean of both counts
     * @param compare makes ratios of the rates of one round
     */
    ObjectNode measure(
            String bench,
            Map<String, Side> sides,
            List<String> again,
            UnaryOperator<Map<String, Double>> compare)
            throws Exception {
        List<String> turns = new ArrayList<>(sides.keySet());
        turns.addAll(again);
        progress.accept("filling");
        pgbench.fill();
        progress.accept("warming up");
        pgbench.simpleUpdate(clients, seconds);
        for (Map.Entry<String, Side> side : sides.entrySet()) {
            warmUp(side.getKey(), side.getValue());
        }
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        Map<String, List<Double>> ratios = new LinkedHashMap<>();
        double before = pgbench.simpleUpdate(clients, seconds);
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, Double> now = new LinkedHashMap<>();
            for (String side : turns) {
                List<Call> callers = Objects.requireNonNull(sides.get(side)).clients();
                Pace pace = Clients.pace(callers, seconds);
                now.merge(side, pace.perSecond(), (first, second) -> (first + second) / 2);
                keep(millis, Map.of(side + "_p50_ms", pace.p50(), side + "_p99_ms", pace.p99()));
            }
            double after = pgbench.simpleUpdate(clients, seconds);
            now.put(SIMPLE, (before + after) / 2);
            before = after;
            Map<String, Double> compared = compare.apply(now);
            keep(rates, now);
            keep(ratios, compared);
            progress.accept("round " + round + ": " + text(now) + " " + text(compared));
        }
        ObjectNode json = Json.object().put("bench", bench);
        ObjectNode medians = json.putObject("ratios");
        ratios.forEach((name, values) -> medians.put(name, Clock.median(values)));
        ObjectNode figures = json.putObject("figures");
        rates.forEach((name, values) -> figures.put(
                name.endsWith("_per_s") ? name : name + "_per_s",
                Math.round(Clock.median(values))));
        millis.forEach((name, values) ->
                figures.put(name, Math.round(Clock.median(values) * HUNDRED) / HUNDRED));
        return json;
    }

    /** Until it gets no faster: code that is not compiled yet says nothing about the rest. */
    private void warmUp(String name, Side side) throws Exception {
        double best = 0;
        for (int turn = 0; turn < WARM_TURNS; turn++) {
            double rate = Clients.pace(side.clients(), seconds).perSecond();
            if (rate < best * FASTER) {
                return;
            }
            best = rate;
        }
        progress.accept(name + " may still get faster");
    }

    private static void keep(Map<String, List<Double>> all, Map<String, Double> values) {
        values.forEach((name, value) ->
                all.computeIfAbsent(name, key -> new ArrayList<>()).add(value));
    }

    private static String text(Map<String, Double> values) {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (name, value) -> text.append(String.format(Locale.ROOT, " %s=%.2f", name, value)));
        return text.toString();
    }
}
