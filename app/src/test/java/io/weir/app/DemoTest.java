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

    @Test
    void loadsProvesAndRefuses() {
        try {
            List<String> lines = weir("demo", "--json", "--home", home.toString());

            JsonNode summary = Json.parse(lines.get(lines.size() - 1));
            assertThat(summary.path("ok").asBoolean()).isTrue();
            assertThat(summary.path("rows").asLong()).isEqualTo(1_250_000);
            assertThat(summary.path("certificates").findValuesAsText("conclusion"))
                    .containsExactly(
                            "verified", "verified", "verified", "verified", "not-published");
            assertThat(summary.path("checks")).isNotEmpty();
            assertThat(summary.path("checks").findValuesAsText("ok")).containsOnly("true");
            assertThat(weir(
                            "sql",
                            "select count(distinct customer_id) as n from sales.orders",
                            "--json",
                            "--home",
                            home.toString()))
                    .containsExactly("{\"n\":\"50000\"}");
        } finally {
            weir("stop", "--home", home.toString());
        }
    }
}
