package io.weir.core.explain;

import static io.weir.core.explain.Lines.assertLines;
import static io.weir.core.explain.Scene.OTHER;
import static io.weir.core.explain.Scene.RUN;
import static io.weir.core.explain.Scene.in;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs that have ended. */
class EndRulesTest {
    private static final String NOTHING = "next: nothing, the run has ended";
    private static final String UNSEEN = "published: no, readers see nothing of the run";
    private static final String LOAD = "do: Load again, as a new run: weir load JOB.YAML";

    @Test
    void successHasACertificate() {
        Scene scene = Scene.of(RunState.SUCCESS)
                .published(123)
                .confirmed(50)
                .ended(40)
                .metric(Stage.TARGET, "row_count", "2", "1");
        assertThat(scene.codes()).containsExactly(FindingCode.SUCCESS);
        assertLines(
                scene.finding(FindingCode.SUCCESS),
                "INFO  The run was published to lake.orders and read back without a difference 40 s"
                        + " ago.",
                "since: 40 s ago",
                "rows: 1,000",
                "snapshot of the table: 123",
                "published: 1 min ago",
                NOTHING,
                "do: Read the certificate: weir certificate " + RUN);
    }

    @Test
    void cancelledSaysWhy() {
        assertLines(
                Scene.of(RunState.CANCELLED)
                        .ended(300)
                        .failure("EXTRACTING", "CANCELLED", "ann: wrong day")
                        .finding(FindingCode.CANCELLED),
                "INFO  The run was cancelled 5 min ago: ann: wrong day.",
                "since: 5 min ago",
                "stage: EXTRACTING",
                "code: CANCELLED",
                "reason: ann: wrong day",
                UNSEEN,
                NOTHING,
                LOAD);
    }

    @Test
    void aFailedPartitionIsNamed() {
        Scene scene = Scene.of(RunState.FAILED_EXTRACT)
                .ended(5)
                .failure("EXTRACT", "SOURCE_QUERY_FAILED", "Cannot read: no luck.")
                .partition(PartitionState.FAILED, 2, in(25), 40, 10)
                .partition(PartitionState.TIMED_OUT);
        assertThat(scene.codes())
                .containsExactly(FindingCode.FAILED_EXTRACT, FindingCode.PARTITION_FAILED);
        assertLines(
                scene.finding(FindingCode.FAILED_EXTRACT),
                "ACT   The run ended as FAILED_EXTRACT 5 s ago: Cannot read: no luck.",
                "since: 5 s ago",
                "stage: EXTRACT",
                "code: SOURCE_QUERY_FAILED",
                "reason: Cannot read: no luck.",
                UNSEEN,
                NOTHING,
                "do: Read the message of the database",
                LOAD);
        assertLines(
                scene.finding(FindingCode.PARTITION_FAILED),
                "WARN  Partition 0000 failed: Cannot read: no luck.",
                "since: 5 s ago",
                "claim: 2",
                "worker: worker-1",
                "rows: 0",
                "do: Look at run " + RUN + ": weir show " + RUN);
        assertThat(scene.partition(PartitionState.FAILED)
                        .finding(FindingCode.PARTITION_FAILED)
                        .cause())
                .isEqualTo("2 partitions failed (0000, 0002); the first: Cannot read: no luck.");
    }

    @ParameterizedTest
    @CsvSource({
        "ROW_COUNT_MISMATCH, Find out why other rows were read than the source counted; a new run"
                + " reads again",
        "LEASE_LOST, Find out what happened to the process that gave no sign",
        "RUN_TIMEOUT, 'Find out what took so long, or give the job more time'",
        "STEPS_EXHAUSTED, Find out why every process that began the step was lost",
        "CUT_BROKEN, 'Look at the run that the reason names, and remove its cause'",
        "DISK_FULL, 'Free some space or move lake.warehouse, then run again'",
    })
    void everyCodeHasItsAdvice(String code, String advice) {
        assertThat(Scene.of(RunState.TIMED_OUT)
                        .ended(5)
                        .failure("EXTRACTING", code, "m")
                        .finding(FindingCode.TIMED_OUT)
                        .actions())
                .containsExactly(new Action(advice, null), Commands.LOAD_AGAIN);
    }

    @Test
    void aCodeThatNobodyKnowsHasNoAdvice() {
        assertThat(Scene.of(RunState.FAILED_PUBLISH)
                        .ended(5)
                        .failure("PUBLISH", "?", "m")
                        .finding(FindingCode.FAILED_PUBLISH)
                        .actions())
                .containsExactly(Commands.LOAD_AGAIN);
    }

    @ParameterizedTest
    @EnumSource(
            value = RunState.class,
            names = {"FAILED_.*", "TIMED_OUT"},
            mode = EnumSource.Mode.MATCH_ANY)
    void everyFailureSaysSoWithoutAReasonToo(RunState state) {
        assertThat(Scene.of(state)
                        .ended(5)
                        .finding(FindingCode.valueOf(state.name()))
                        .cause())
                .isEqualTo("The run ended as " + state + " 5 s ago.");
    }

    @Test
    void stagedMetricsThatDifferAreListed() {
        assertLines(
                Scene.of(RunState.FAILED_STAGE_VALIDATION)
                        .ended(5)
                        .metric(Stage.SOURCE, "row_count", null, "105000")
                        .goodMetrics(Stage.STAGING, 3)
                        .metric(Stage.STAGING, "sum(amount)", "71853075", "71853070")
                        .metric(Stage.STAGING, "max(price)", "9.5", "10.25")
                        .metric(Stage.STAGING, "max(day)", "2026-11-29", null)
                        .metric(Stage.STAGING, "min(rate)", "1.0E10", "1")
                        .metric(Stage.STAGING, "a.parquet", MetricName.BALANCE, "2:ab", "1:cd")
                        .finding(FindingCode.METRIC_DIFFERS),
                "WARN  5 of 8 metrics differ in the staged files; the first: sum(amount) expected"
                        + " 71853075, found 71853070 (-5).",
                "sum(amount): expected 71853075, found 71853070 (-5)",
                "max(price): expected 9.5, found 10.25 (+0.75)",
                "max(day): expected 2026-11-29, found nothing",
                "min(rate): expected 1.0E10, found 1",
                "balance of a.parquet: expected 2:ab, found 1:cd",
                "do: Read the certificate: weir certificate " + RUN);
    }

    @Test
    void metricsThatDifferAreSaidBeforeTheRunEnds() {
        Scene scene = Scene.of(RunState.STAGE_VALIDATING)
                .owner("w")
                .metric(Stage.STAGING, "row_count", "10", "9");
        assertThat(scene.codes()).containsExactly(FindingCode.METRIC_DIFFERS, FindingCode.AUDITING);
        assertLines(
                scene.finding(FindingCode.METRIC_DIFFERS),
                "WARN  One metric differs in the staged files: row_count expected 10, found 9"
                        + " (-1).",
                "row_count: expected 10, found 9 (-1)",
                "next: the verdict ends the run unless it is measured again",
                "do: Read the certificate: weir certificate " + RUN);
    }

    @Test
    void whatReadersSeeIsNotLoadedAgain() {
        Scene scene = Scene.of(RunState.FAILED_TARGET_VALIDATION)
                .published(123)
                .ended(5)
                .failure("PUBLISHED", "VALIDATION_FAILED", "Cannot confirm")
                .metric(Stage.STAGING, "row_count", "10", "8")
                .metric(Stage.TARGET, "row_count", "10", "9");
        assertLines(
                scene.finding(FindingCode.FAILED_TARGET_VALIDATION),
                "ACT   The run ended as FAILED_TARGET_VALIDATION 5 s ago: Cannot confirm.",
                "since: 5 s ago",
                "stage: PUBLISHED",
                "code: VALIDATION_FAILED",
                "reason: Cannot confirm",
                "published: yes, readers see snapshot 123 of lake.orders",
                NOTHING,
                "do: Find out what changed lake.orders or its files before anything is loaded"
                        + " again",
                "do: Read the certificate: weir certificate " + RUN,
                "do: Check ledger and tables: weir fsck");
        assertThat(scene.finding(FindingCode.METRIC_DIFFERS).cause())
                .isEqualTo("One metric differs in the published table: row_count expected 10,"
                        + " found 9 (-1).");
    }

    @Test
    void aCutThatIsNotWholeHasItsOwnAdvice() {
        assertThat(Scene.of(RunState.FAILED_TARGET_VALIDATION)
                        .published(123)
                        .ended(5)
                        .failure("PUBLISHED", "CUT_INCOMPLETE", "run x ended")
                        .finding(FindingCode.FAILED_TARGET_VALIDATION)
                        .actions())
                .extracting(Action::text)
                .containsExactly(
                        "Look at the run that the reason names: this table shows a cut that is not"
                                + " whole",
                        "Read the certificate",
                        "Check ledger and tables");
    }

    @Test
    void aNewRunWouldAddWhatTheCutPublishedAlready() {
        Scene append = Scene.of(RunState.PUBLISHED).run(OTHER, "lake.items").published(9);
        Scene replace = Scene.of(RunState.PUBLISHED)
                .run(OTHER, "lake.items")
                .published(9)
                .replaces();
        assertThat(Scene.of(RunState.FAILED_PUBLISH)
                        .cut(2, append)
                        .finding(FindingCode.FAILED_PUBLISH)
                        .actions())
                .containsExactly(
                        new Action(
                                "Readers see the rows of this cut in lake.items already: a new run"
                                        + " of those tables would add them again",
                                null),
                        Commands.LOAD_AGAIN);
        assertThat(Scene.of(RunState.FAILED_PUBLISH)
                        .cut(2, replace)
                        .finding(FindingCode.FAILED_PUBLISH)
                        .actions())
                .containsExactly(Commands.LOAD_AGAIN);
    }
}
