package io.weir.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;
import io.weir.ledger.alert.Alert;
import io.weir.ledger.alert.Alert.Subject;
import io.weir.ledger.alert.Alert.TableSum;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.ReplicaCut;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Whatever a text holds, Slack takes it and shows it as text. */
class SlackMessageTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private static Alert stop(String target, String message) {
        return new Alert.Stopped(
                new Subject(7, NOON, "shop", "public." + target, "sales." + target),
                "MERGE_CHAIN_BROKEN",
                message,
                "weir rebuild sales." + target,
                false);
    }

    private static void fits(JsonNode message) {
        assertThat(message.path("blocks").size()).isBetween(2, 50);
        assertThat(message.at("/blocks/0/text/text").asText().length())
                .isBetween(1, SlackMessage.HEADER_MAX);
        for (JsonNode block : message.path("blocks")) {
            assertThat(block.at("/text/text").asText().length())
                    .isBetween(1, SlackMessage.SECTION_MAX);
        }
    }

    @Test
    void aMessageHasAHeaderAndSections() {
        JsonNode message = Json.parse(SlackMessage.line(stop("orders", "row (key=id=3)")));
        assertThat(message.path("text").asText())
                .isEqualTo("Table stopped: sales.orders (MERGE_CHAIN_BROKEN)");
        assertThat(message.at("/blocks/0/type").asText()).isEqualTo("header");
        assertThat(message.at("/blocks/0/text/type").asText()).isEqualTo("plain_text");
        assertThat(message.at("/blocks/1/text/text").asText())
                .isEqualTo("Job shop, table public.orders, at 2026-03-01T12:00:00Z");
        assertThat(message.at("/blocks/2/text/text").asText())
                .isEqualTo("```\nrow (key=id=3)\n```");
        assertThat(message.at("/blocks/4/text/text").asText())
                .isEqualTo("```\nweir rebuild sales.orders\n```");
    }

    @Test
    void longTextsAreCutAndNoEscapeInTwo() {
        fits(Json.parse(SlackMessage.line(stop("t".repeat(400), "<&>😀".repeat(2000)))));
        assertThat(SlackMessage.escaped("a&&", 6)).isEqualTo("a…");
        assertThat(SlackMessage.escaped("a&b", 8)).isEqualTo("a&amp;b");
        assertThat(SlackMessage.escaped("😀😀", 4)).isEqualTo("😀…");
    }

    @Test
    void nothingInATextIsACommandOrALink() {
        assertThat(SlackMessage.fenced("<!channel> ```*x*```"))
                .isEqualTo("```\n&lt;!channel&gt; '''*x*'''\n```");
    }

    @Test
    void aSummaryOfManyTablesFits() {
        List<TableSum> tables = IntStream.range(0, 100)
                .mapToObj(n -> new TableSum(
                        "public.t" + n,
                        "sales.t" + n,
                        "RUNNING",
                        1,
                        2,
                        3,
                        4,
                        n,
                        Duration.ofMillis(1500)))
                .toList();
        ReplicaCut cut = new ReplicaCut(
                "shop",
                9,
                new LogPlace(20, "0/20"),
                100,
                List.of("public.t7"),
                NOON,
                NOON.plusSeconds(3));
        Alert summary =
                new Alert.Summary(cut, NOON.minusSeconds(60), tables, Duration.ofSeconds(5));
        JsonNode message = Json.parse(SlackMessage.line(summary));
        fits(message);
        assertThat(message.path("text").asText())
                .isEqualTo("Job shop: cut 9 with 99 of 100 tables");
        assertThat(message.at("/blocks/1/text/text").asText())
                .isEqualTo("At 0/20, everything committed 5.0 s ago is in; 3.0 s for the cut."
                        + " Since 2026-03-01T11:59:00Z: 300 rows in, 400 rows out;"
                        + " lag 99 bytes.");
        assertThat(message.at("/blocks/2/text/text").asText())
                .startsWith("```\nsales.t0: RUNNING, in 3, out 4, windows 1, slowest 1.5 s,"
                        + " lag 0 bytes\n")
                .endsWith("and 80 more tables\n```");
    }
}
