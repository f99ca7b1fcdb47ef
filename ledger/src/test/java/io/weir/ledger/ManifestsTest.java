package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ManifestsTest {
    private final Ledger ledger = TestBooks.ledger();

    @Test
    void registersPartitionsAndTheExpectation() {
        RunScript script = RunScript.created();
        Manifest manifest = RunScript.manifest(3);

        Run run = ledger.registerManifest(script.id, manifest);

        RunDetail detail = ledger.detail(script.id);
        assertThat(run.state()).isEqualTo(RunState.EXTRACTING);
        assertThat(run.snapshot()).isEqualTo(manifest.snapshot());
        assertThat(run.position()).isEqualTo(manifest.position());
        assertThat(run.consistency()).isEqualTo(manifest.consistency());
        assertThat(run.sourceCount()).isEqualTo(30);
        assertThat(run.keyColumns()).containsExactly("id");
        assertThat(detail.run()).isEqualTo(run);
        assertThat(detail.columns()).containsExactly("id", "amount", "note");
        assertThat(detail.partitions())
                .extracting("range")
                .containsExactlyElementsOf(
                        manifest.parts().stream().map(Manifest.Part::range).toList());
        assertThat(detail.partitions()).extracting("state").containsOnly(PartitionState.PENDING);
        assertThat(detail.metrics())
                .containsExactlyInAnyOrder(
                        source(MetricName.ROW_COUNT, "30"),
                        source(RunScript.SUM_AMOUNT, "99.5"),
                        source(RunScript.MIN_NOTE, null));
    }

    @Test
    void answersTheSameManifestAsBeforeAndRefusesAnother() {
        RunScript script = RunScript.extracting(2);
        script.complete(script.claim());
        int events = ledger.events(script.id).size();

        assertThat(ledger.registerManifest(script.id, RunScript.manifest(2)))
                .isEqualTo(script.run());
        assertCode(
                        () -> ledger.registerManifest(script.id, RunScript.manifest(3)),
                        ErrorCode.RUN_STATE_MISMATCH)
                .isEqualTo("Cannot register the manifest of run " + script.id
                        + ": the run holds another one or ended (state=EXTRACTING)");
        assertThat(ledger.events(script.id)).hasSize(events);
    }

    @Test
    void namesAllViolationsAfterTheRunFailed() {
        RunScript script = RunScript.created();
        Manifest invalid = RunScript.manifest(2, 21, 10L);
        String message = "Cannot register the manifest of run " + script.id
                + ": it breaks invariants of the split"
                + " (violations=EXPECTED_SUM_MISMATCH)";

        for (int i = 0; i < 2; i++) {
            assertCode(
                            () -> ledger.registerManifest(script.id, invalid),
                            ErrorCode.MANIFEST_INVALID)
                    .isEqualTo(message);
        }

        Run run = script.run();
        assertThat(run.state()).isEqualTo(RunState.FAILED_MANIFEST);
        assertThat(run.failure()).isEqualTo(new Failure("MANIFEST", "MANIFEST_INVALID", message));
        assertThat(ledger.events(script.id))
                .extracting("name")
                .containsExactly("RUN_CREATED", "MANIFEST_REJECTED");
        assertCode(
                        () -> ledger.registerManifest(script.id, RunScript.manifest(2)),
                        ErrorCode.RUN_STATE_MISMATCH)
                .endsWith("(state=FAILED_MANIFEST)");
    }

    private static Metric source(MetricName name, @Nullable String value) {
        return new Metric(Stage.SOURCE, Metric.RUN, name, value, value, Verdict.PASS);
    }
}
