package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

/** The promise of the first page: one command tells the whole story. */
class DemoTest {
    @TempDir
    Path home;

    private List<String> weir(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Weir.run(arguments, new PrintWriter(out), new PrintWriter(err));
        assertThat(exitCode).as(err.toString()).isZero();
        return out.toString().lines().toList();
    }

    /** Windows with changes, their lag and balances; then one stop, and a whole cut after it. */
    private static void followed(List<JsonNode> steps) {
        assertThat(named(steps, "window")).hasSize(6).allSatisfy(window -> {
            assertThat(window.path("lag_ms").asLong()).isPositive();
            assertThat(window.path("bytes_behind").isNumber()).isTrue();
        });
        assertThat(named(steps, "merged"))
                .extracting(merged -> merged.path("target").asText())
                .contains("live.customers", "live.orders", "live.prices");
        assertThat(named(steps, "merged"))
                .extracting(merged -> merged.path("balances").path("closing").asText())
                .allMatch(balance -> balance.matches("(50000|1000000|200):[0-9a-f]{32}"));
        assertThat(named(steps, "stopped")).singleElement().satisfies(stopped -> {
            assertThat(stopped.path("target").asText()).isEqualTo("live.orders");
            assertThat(stopped.path("stop").path("code").asText()).isEqualTo("MERGE_CHAIN_BROKEN");
            assertThat(stopped.path("stop").path("message").asText())
                    .contains("(id=400000, ", "expected={amount=", "found={amount=");
        });
        assertThat(named(steps, "cut"))
                .extracting(cut -> cut.path("missing").size())
                .containsExactly(0, 0, 0, 0, 1, 0);
    }

    private static List<JsonNode> named(List<JsonNode> steps, String name) {
        return steps.stream()
                .filter(step -> step.path("step").asText().equals(name))
                .toList();
    }

    @Test
    void loadsProvesRefusesFollowsAndStops() {
        try {
            List<String> lines = weir("demo", "--json", "--home", home.toString());

            JsonNode summary = Json.parse(lines.get(lines.size() - 1));
            assertThat(summary.path("ok").asBoolean()).isTrue();
            assertThat(summary.path("rows").asLong()).isEqualTo(1_250_000);
            assertThat(summary.path("certificates").findValuesAsText("conclusion"))
                    .containsExactly(
                            "verified", "verified", "verified", "verified", "not-published");
            assertThat(summary.path("checks").findValuesAsText("name"))
                    .contains(
                            "tampered run is refused",
                            "every window is verified",
                            "replicated tables equal the source",
                            "a lost change stops its table",
                            "the stop names table, key, expected, found and the command",
                            "nothing is published after the stop",
                            "the other tables go on",
                            "the rebuilt table equals the source");
            assertThat(summary.path("checks").findValuesAsText("ok")).containsOnly("true");
            assertThat(weir(
                            "sql",
                            "select count(distinct customer_id) as n from sales.orders",
                            "--json",
                            "--home",
                            home.toString()))
                    .containsExactly("{\"n\":\"50000\"}");
            followed(lines.stream().map(Json::parse).toList());
        } finally {
            weir("stop", "--home", home.toString());
        }
    }
}
