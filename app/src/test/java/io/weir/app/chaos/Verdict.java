package io.weir.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.certificate.Certificate;
import io.weir.core.json.Json;
import io.weir.core.ledger.RunDetail;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.row.Balance;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.table.LakeTable;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Holds what happened against what was said: journals, ledger, lake and source. */
final class Verdict {
    private static final int BUG_EXIT = 70;
    private static final List<String> TARGETS =
            List.of("shop.events", "shop.customers", "shop.orders");

    private final Books books;
    private final List<RunDetail> runs;
    private final Map<String, RunDetail> byId;

    Verdict(Books books) {
        this.books = books;
        this.runs = books.runs();
        this.byId = runs.stream()
                .collect(Collectors.toMap(d -> d.run().id().toString(), Function.identity()));
    }

    /** How many runs ended how. */
    Map<String, Long> summary() {
        return runs.stream()
                .collect(Collectors.groupingBy(
                        d -> d.run().target() + " " + d.run().state(),
                        TreeMap::new,
                        Collectors.counting()));
    }

    void journals(List<Client> journal) {
        for (Client client : journal) {
            assertThat(client.complaints())
                    .as("%s", client)
                    .doesNotContain(" ERROR ", "LEDGER_INVARIANT", "Exception in thread");
            assertThat(client.exitCode()).as("%s", client).isNotEqualTo(BUG_EXIT);
            if (client.isLoad()) {
                assertThat(client.complaints())
                        .as("%s was not asked to stop", client)
                        .doesNotContain("Code: INTERRUPTED");
            }
            for (JsonNode step : client.steps("ended")) {
                assertThat(run(step).state().name())
                        .as("end of run %s by %s", step, client)
                        .isEqualTo(step.path("state").asText());
            }
            for (JsonNode step : client.steps("published")) {
                assertThat(run(step).publishedSnapshotId())
                        .as("publishing of run %s by %s", step, client)
                        .isEqualTo(step.path("snapshot_id").asLong());
            }
            certificates(client);
        }
    }

    private Run run(JsonNode step) {
        return detail(step.path("run").asText()).run();
    }

    private RunDetail detail(String id) {
        RunDetail detail = byId.get(id);
        if (detail == null) {
            throw new AssertionError("Run " + id + " is not in the ledger");
        }
        return detail;
    }

    private void certificates(Client client) {
        List<JsonNode> printed = client.certificates();
        for (JsonNode certificate : printed) {
            RunDetail detail = detail(certificate.path("run").asText());
            assertThat(detail.run().state()).as("%s", client).isEqualTo(RunState.SUCCESS);
            assertThat(Json.pretty(new Certificate(detail).json()))
                    .as("certificate that %s printed", client)
                    .isEqualTo(Json.pretty(certificate));
        }
        if (client.isLoad() && client.exitCode() == 0) {
            assertThat(printed)
                    .as("certificates of %s", client)
                    .hasSize(client.option("--job").equals("cut") ? 2 : 1)
                    .allSatisfy(certificate -> assertThat(
                                    certificate.path("business_key").asText())
                            .isEqualTo(client.option("--business-key")));
        }
    }

    void ledger() {
        for (RunDetail detail : runs) {
            assertThat(detail.run().state().isTerminal()).as("%s", detail.run()).isTrue();
            assertThat(detail.run().state()).isNotEqualTo(RunState.FAILED_TARGET_VALIDATION);
            assertThat(detail.attempts())
                    .extracting(PublishAttempt::state)
                    .as("attempts of %s", detail.run())
                    .doesNotContain(AttemptState.OPEN, AttemptState.UNKNOWN);
            assertThat(published(detail))
                    .as("%s", detail.run())
                    .hasSize(Books.succeeded(detail) ? 1 : 0);
        }
        Map<UUID, List<Run>> cuts = runs.stream()
                .map(RunDetail::run)
                .filter(run -> run.cut() != null)
                .collect(Collectors.groupingBy(run -> run.cut().id()));
        cuts.forEach((id, cut) -> assertThat(
                        cut.stream().filter(run -> run.state() == RunState.SUCCESS))
                .as("whole or nothing: cut %s", cut)
                .hasSizeBetween(0, 2)
                .size()
                .isNotEqualTo(1));
    }

    /** What {@code weir fsck --tables} says. */
    void fsck() {
        assertThat(books.fsck()).filteredOn(finding -> !finding.isClean()).isEmpty();
    }

    private static List<PublishAttempt> published(RunDetail detail) {
        return detail.attempts().stream()
                .filter(attempt -> attempt.state() == AttemptState.PUBLISHED)
                .toList();
    }

    /** Every row of a successful run once, and no other. */
    void lake() {
        for (String target : TARGETS) {
            LakeTable table = books.table(target);
            List<RunDetail> visible = visible(target);
            assertThat(Books.paths(table))
                    .as("live files of %s", target)
                    .isEqualTo(visible.stream()
                            .flatMap(detail -> Books.paths(detail).stream())
                            .sorted()
                            .toList());
            Balance read = visible.stream()
                    .map(detail -> detail.run().extracted())
                    .reduce(Balance.ZERO, Balance::plus);
            assertThat(table.balance()).as("balance of %s", target).isEqualTo(read);
            assertThat(books.measured(table))
                    .as("measured balance of %s", target)
                    .isEqualTo(read.toString());
        }
    }

    /** All runs that were appended, or the last one that replaced the others. */
    private List<RunDetail> visible(String target) {
        List<RunDetail> all = succeeded(target);
        return target.equals("shop.events")
                ? all
                : List.of(all.stream()
                        .max(Comparator.comparing(
                                detail -> published(detail).get(0).epoch()))
                        .orElseThrow());
    }

    private List<RunDetail> succeeded(String target) {
        return runs.stream()
                .filter(Books::succeeded)
                .filter(detail -> detail.run().target().equals(target))
                .toList();
    }

    /** Every successful run holds the source as one of its transactions left it. */
    void source(Shop shop) {
        Map<UUID, String> versions = new TreeMap<>();
        for (String target : TARGETS) {
            LakeTable table = books.table(target);
            String name = target.substring(target.indexOf('.') + 1);
            for (RunDetail detail : succeeded(target)) {
                String found = books.figures(table, Books.paths(detail));
                String version = found.substring(found.lastIndexOf(' ') + 1);
                assertThat(found)
                        .as("rows of run %s of %s", detail.run().id(), target)
                        .isEqualTo(shop.was(name, version));
                if (detail.run().cut() != null) {
                    UUID cut = detail.run().cut().id();
                    assertThat(versions.computeIfAbsent(cut, first -> version))
                            .as("one snapshot for the tables of cut %s", cut)
                            .isEqualTo(version);
                }
            }
        }
    }
}
