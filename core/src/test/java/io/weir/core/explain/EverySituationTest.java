package io.weir.core.explain;

import static io.weir.core.explain.Scene.ago;
import static io.weir.core.explain.Scene.in;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.metric.Stage;
import io.weir.core.publish.AttemptState;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every state of a run with every state of its parts, at times before and after everything that
 * ends.
 */
class EverySituationTest {
    /** Far ahead, near, just over, long over. */
    private static final List<Instant> ENDS = List.of(in(25), in(5), ago(2), ago(900));

    private static final Pattern SENTENCE = Pattern.compile("[^\\n]*[^.]\\.");

    /** What the rules are asked about, and whether the ledger can hold it. */
    private record Case(
            RunState state,
            boolean owned,
            @Nullable DispatchState dispatch,
            @Nullable PartitionState partition,
            Instant end,
            Surroundings around) {
        Scene scene() {
            Scene scene = Scene.of(state).owner(owned ? "host-9:1" : null).lease(end);
            if (partition != null) {
                scene.partition(partition, 1, end, 900, 0).partition(partition, 5, end, 40, 10);
            }
            if (dispatch != null) {
                Instant at = dispatch == DispatchState.SENT ? ago(130) : end;
                scene.dispatch(kind(state), 1, dispatch, 20, at, null);
            }
            if (state.isTerminal()) {
                scene.ended(10);
            }
            if (state == RunState.PUBLISHED || state == RunState.SUCCESS) {
                scene.published(9);
            }
            return surrounded(scene, around);
        }

        boolean isReachable() {
            return switch (state) {
                case CREATED -> partition == null && dispatch == null;
                case EXTRACTING ->
                    dispatch == null
                            && (partition == PartitionState.PENDING
                                    || partition == PartitionState.RUNNING
                                    || partition == PartitionState.RETRY);
                case EXTRACTED_VALIDATED -> !owned && isAwaited();
                case STAGE_VALIDATING, PUBLISHING -> owned;
                case STAGING_VALIDATED -> owned || isAwaited() || waitsForCut();
                case PUBLISH_UNKNOWN -> owned || isAwaited();
                case PUBLISHED -> owned || isAwaited() || around == Surroundings.CONFIRMED_IN_CUT;
                default -> true;
            };
        }

        private boolean isAwaited() {
            return dispatch != null && (dispatch.isOpen() || dispatch == DispatchState.DEAD);
        }

        private boolean waitsForCut() {
            return dispatch == null
                    && (around == Surroundings.CUT || around == Surroundings.BROKEN_CUT);
        }
    }

    /** What is around the run. */
    private enum Surroundings {
        NOBODY,
        WORKERS,
        BUSY_WORKERS,
        YOUNG_WORKERS,
        OTHER_WORKERS,
        LATE,
        NEARLY_LATE,
        NO_SNAPSHOT,
        FAILURES,
        BUSY_TARGET,
        CUT,
        BROKEN_CUT,
        CONFIRMED_IN_CUT
    }

    private static Scene surrounded(Scene scene, Surroundings around) {
        return switch (around) {
            case NOBODY -> scene;
            case WORKERS -> scene.worker(4, 1);
            case BUSY_WORKERS -> scene.worker(4, 4).recovery(RecoveryMode.FAIL);
            case YOUNG_WORKERS -> scene.worker("w", "shop", 4, 4, 5, 3);
            case OTHER_WORKERS -> scene.worker("w", "other", 4, 0, 3);
            case LATE -> scene.worker(4, 1).deadline(ago(7));
            case NEARLY_LATE -> scene.worker(4, 1).deadline(in(30));
            case NO_SNAPSHOT -> scene.worker(4, 1).noHolder();
            case FAILURES ->
                scene.worker(4, 1)
                        .failure("STAGE", "LEASE_LOST", "reason")
                        .metric(Stage.STAGING, "row_count", "2", "1")
                        .metric(Stage.TARGET, "row_count", "2", "1");
            case BUSY_TARGET -> scene.worker(4, 1).blocking(AttemptState.UNKNOWN, null);
            case CUT -> scene.worker(4, 1).cut(2, other(RunState.EXTRACTING));
            case BROKEN_CUT -> scene.cut(2, other(RunState.CANCELLED).ended(400));
            case CONFIRMED_IN_CUT ->
                scene.worker(4, 1).confirmed(5).cut(2, other(RunState.PUBLISHED));
        };
    }

    private static Scene other(RunState state) {
        return Scene.of(state).run(Scene.OTHER, "lake.items");
    }

    private static Kind kind(RunState state) {
        return switch (state) {
            case STAGING_VALIDATED, PUBLISHING -> Kind.PUBLISH_RUN;
            case PUBLISH_UNKNOWN -> Kind.RESOLVE_RUN;
            case PUBLISHED -> Kind.CONFIRM_RUN;
            default -> Kind.VALIDATE_RUN;
        };
    }

    /** A case and what is said of it. */
    private record Said(Case of, Explanation explanation) {
        boolean says(FindingCode code) {
            return explanation.findings().stream().anyMatch(finding -> finding.code() == code);
        }
    }

    private static final Map<RunState, List<Said>> SAID = Arrays.stream(RunState.values())
            .collect(Collectors.toMap(state -> state, EverySituationTest::said));

    private static List<Said> said(RunState state) {
        List<Said> said = new ArrayList<>();
        for (Case one : cases(state)) {
            said.add(new Said(one, one.scene().explained()));
        }
        return said;
    }

    /** Where a state has no partitions or dispatches, the surroundings are tried without them. */
    private static List<Case> cases(RunState state) {
        List<Case> cases = new ArrayList<>();
        for (Surroundings around : Surroundings.values()) {
            boolean all = around == Surroundings.NOBODY || around == Surroundings.WORKERS;
            boolean step = kind(state) != Kind.VALIDATE_RUN
                    || state == RunState.EXTRACTED_VALIDATED
                    || state == RunState.STAGE_VALIDATING;
            for (DispatchState dispatch : withNull(DispatchState.values(), all || step)) {
                for (PartitionState partition :
                        withNull(PartitionState.values(), all || state == RunState.EXTRACTING)) {
                    for (Instant end : ENDS) {
                        cases.add(new Case(state, false, dispatch, partition, end, around));
                        cases.add(new Case(state, true, dispatch, partition, end, around));
                    }
                }
            }
        }
        return cases;
    }

    private static <T> List<@Nullable T> withNull(T[] values, boolean all) {
        List<@Nullable T> list = new ArrayList<>(all ? Arrays.asList(values) : List.of());
        list.add(null);
        return list;
    }

    @ParameterizedTest
    @EnumSource(RunState.class)
    void whatTheLedgerCanHoldIsExplained(RunState state) {
        List<Said> reachable =
                explained(state).filter(said -> said.of.isReachable()).toList();
        assertThat(reachable).hasSizeGreaterThan(20);
        assertThat(reachable.stream().filter(said -> said.says(FindingCode.UNEXPLAINED)))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(RunState.class)
    void theWorstComesFirst(RunState state) {
        assertThat(explained(state).filter(said -> !isSorted(said.explanation.findings())))
                .isEmpty();
    }

    private static boolean isSorted(List<Finding> findings) {
        for (int i = 1; i < findings.size(); i++) {
            if (findings.get(i - 1).severity().compareTo(findings.get(i).severity()) < 0) {
                return false;
            }
        }
        return !findings.isEmpty();
    }

    @ParameterizedTest
    @EnumSource(RunState.class)
    void whatShouldHaveHappenedSaysSo(RunState state) {
        assertThat(findings(state).filter(finding -> !isHonest(finding))).isEmpty();
    }

    private static boolean isHonest(Finding finding) {
        Next next = finding.next();
        Instant at = next == null ? null : next.at();
        boolean past = at != null && at.isBefore(Scene.NOW);
        boolean flagged = next != null && next.overdue();
        boolean said = Lines.of(finding).stream().anyMatch(line -> line.contains("overdue:"));
        return flagged == past && said == past;
    }

    @ParameterizedTest
    @EnumSource(RunState.class)
    void everyFindingIsOneSentenceOfWhatBeganBefore(RunState state) {
        assertThat(findings(state)
                        .filter(finding -> !SENTENCE.matcher(finding.cause()).matches()
                                || finding.cause().contains("null")))
                .isEmpty();
        assertThat(findings(state)
                        .map(Finding::since)
                        .filter(since -> since != null && since.isAfter(Scene.NOW)))
                .isEmpty();
    }

    private static Stream<Said> explained(RunState state) {
        return Stream.ofNullable(SAID.get(state)).flatMap(List::stream);
    }

    private static Stream<Finding> findings(RunState state) {
        return explained(state).flatMap(said -> said.explanation.findings().stream());
    }

    @Test
    void everyCodeIsFoundSomewhere() {
        Set<FindingCode> found = Arrays.stream(RunState.values())
                .flatMap(EverySituationTest::findings)
                .map(Finding::code)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FindingCode.class)));
        // Needs an answer of a receiver, or a step that was never delivered.
        found.addAll(EnumSet.of(FindingCode.STEP_DUE, FindingCode.STEP_NOT_TAKEN));
        assertThat(found).containsExactlyInAnyOrder(FindingCode.values());
    }
}
