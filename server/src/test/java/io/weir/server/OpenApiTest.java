package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;
import io.weir.server.access.Scope;
import io.weir.server.metric.ServerMetrics;
import io.weir.server.route.Route;
import io.weir.testkit.ledger.LedgerScript;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The document of the API, its page and its figures say what the server does. */
class OpenApiTest extends ApiTest {
    private static final Path ROOT = Path.of(System.getProperty("weir.root"));
    private static final Path PAGE = ROOT.resolve("docs/reference/api.md");
    private static final String BEGIN = "<!-- routes -->\n";
    private static final String END = "<!-- end of routes -->\n";

    private JsonNode document() {
        return api.get("/openapi.json").ok().body();
    }

    @Test
    void everyRouteIsInTheDocumentAndNothingElse() {
        JsonNode document = document();
        Set<String> described = new TreeSet<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(method -> described.add(
                                method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
        Set<String> served = new TreeSet<>();
        server.routes().forEach(route -> served.add(route.method() + " " + route.path()));

        assertThat(document.path("openapi").asText()).isEqualTo("3.1.0");
        assertThat(described).isEqualTo(served).hasSizeGreaterThan(30);
    }

    @Test
    void everyReferenceLeadsToASchema() {
        JsonNode document = document();
        Matcher references = Pattern.compile("\"[$]ref\":\"#/components/schemas/(\\w+)\"")
                .matcher(Json.line(document));
        Set<String> named = new TreeSet<>();
        while (references.find()) {
            named.add(references.group(1));
        }
        Set<String> defined = new TreeSet<>();
        document.at("/components/schemas").fieldNames().forEachRemaining(defined::add);
        assertThat(named).isEqualTo(defined);
    }

    @Test
    void scopesAndRequiredFieldsAreSaid() {
        JsonNode document = document();
        assertThat(document.at("/paths/~1v1~1runs/post/x-scope").asText()).isEqualTo("runs:create");
        assertThat(document.at("/components/schemas/CreateRun/required").toString())
                .isEqualTo("[\"jobKey\",\"businessKey\",\"hdfsRoot\",\"stageTablePrefix\"]");
        assertThat(document.at("/components/schemas/CreateRun/additionalProperties")
                        .asBoolean(true))
                .isFalse();
        assertThat(document.at("/paths/~1livez/get/security")).isEmpty();
    }

    @Test
    void thePageListsEveryRoute() throws IOException {
        StringBuilder list = new StringBuilder();
        for (Route route : server.routes()) {
            Scope scope = route.scope();
            list.append("- `" + route.method() + " " + route.path() + "`, ")
                    .append(scope == null ? "open to all" : "`" + scope.text() + "`")
                    .append(":\n  " + route.summary() + "\n");
        }
        String text = Files.readString(PAGE);
        String wanted = text.substring(0, text.indexOf(BEGIN) + BEGIN.length()) + "\n" + list + "\n"
                + text.substring(text.indexOf(END));
        if (Boolean.getBoolean("weir.regenerate")) {
            Files.writeString(PAGE, wanted);
        }
        assertThat(PAGE).as("run with -Dweir.regenerate=true").content().isEqualTo(wanted);
    }

    @Test
    void everyFigureIsExposedAndOnThePage() throws IOException {
        server.sweep();
        Flow reading = new Flow(api);
        reading.register(3).ok();
        reading.claim(0, UUID.randomUUID()).ok();
        Flow flow = new Flow(api).published();
        new Flow(api).extracted();
        new LedgerScript(house.books, LedgerScript.request("figures")).published(1);
        Flow doubtful = new Flow(api);
        UUID token = UUID.randomUUID();
        doubtful.publishing(token);
        doubtful.result(token, "PUBLISH_UNKNOWN").ok();
        new Replicated(house, "replicated").published(20);
        server.sweep();
        assertThat(server.inspect()).isZero();
        String scraped = api.get("/metrics").ok().text("text");
        Set<String> exposed = new TreeSet<>();
        scraped.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .forEach(line -> exposed.add(line.split(" ", -1)[2]));
        exposed.removeIf(name -> name.endsWith("_max"));

        assertThat(exposed).containsExactlyInAnyOrderElementsOf(ServerMetrics.NAMES);
        assertThat(Files.readString(PAGE)).contains(ServerMetrics.NAMES);
        assertThat(scraped)
                .contains("weir_chunk_reports_total{result=\"run_complete\"} 3.0")
                .contains("weir_claims_total{result=\"won\"} 4.0")
                .contains("weir_runs{job=\"" + flow.job + "\",state=\"PUBLISHED\"} 1.0")
                .contains("weir_run_transitions_total{from=\"NONE\",job=\"" + flow.job
                        + "\",to=\"CREATED\"} 1.0")
                .contains("weir_run_transitions_total{from=\"PUBLISHING\",job=\"" + flow.job
                        + "\",to=\"PUBLISHED\"} 1.0")
                .contains("weir_run_duration_seconds_count{phase=\"publishing\"} 3")
                .contains("weir_run_transitions_total{from=\"NONE\",job=\"figures\","
                        + "to=\"CREATED\"} 1.0")
                .contains("weir_rows_total{job=\"figures\",stage=\"published\"} 10.0")
                .contains("weir_publish_attempts_total{outcome=\"PUBLISHED\""
                        + ",target_type=\"iceberg\"} 1.0")
                .contains("weir_rows_total{job=\"" + flow.job + "\",stage=\"extracted\"} 3.0")
                .contains("weir_rows_total{job=\"" + flow.job + "\",stage=\"published\"} 3.0")
                .contains("weir_bytes_total{job=\"" + flow.job + "\"} 103.0")
                .contains("weir_attempts_lost_total{reason=\"lease\"} 0.0")
                .contains("weir_lease_margin_ratio_bucket{le=\"1.0\"} 1")
                .contains("weir_dispatch_attempts_total{result=\"sent\",route=\"validate\"} 0.0")
                .contains("weir_publish_attempts_total{outcome=\"PUBLISHED\""
                        + ",target_type=\"outside\"} 1.0")
                .contains("weir_publish_unknown 1.0")
                .contains("weir_publish_resolution_seconds_count{by=\"operator\"} 0")
                .contains("weir_invariant_violations 0.0")
                .contains("weir_alarm_open{rule=\"PUBLISH_UNKNOWN\",severity=\"ERROR\"} 1.0")
                .contains("weir_ledger_tx_seconds_count{command=\"report chunks\"}")
                .contains("weir_ledger_tx_retries_total{sqlstate=\"40001\"} 0.0")
                .contains("weir_build_info{version=\"")
                .contains("route=\"/v1/runs/{runId}/manifest\"")
                .doesNotContain(flow.run);
    }

    @Test
    void healthIsAnsweredWithoutAToken() {
        Api nobody = new Api("http://127.0.0.1:" + server.port(), null, server.routes());
        for (String path : Set.of("/healthz", "/livez", "/readyz")) {
            assertThat(nobody.get(path).ok().text("status")).isEqualTo("ok");
        }
    }
}
