package io.weir.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.UUID;

/** Ids, ranges and failures: what they accept, refuse and cut. */
class RunWordsTest {
    @Test
    void partitionIdsHaveFourDigits() {
        assertThat(PartitionId.ofIndex(0)).hasToString("0000");
        assertThat(PartitionId.ofIndex(9_999)).hasToString("9999");
        assertThat(PartitionId.NULL).hasToString("NULL");
        assertThat(new PartitionId("0042")).isEqualTo(PartitionId.ofIndex(42));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "12345", "null", "00a1", "-001", "0001 ", "٠٠٠١"})
    void refusesOtherPartitionIds(String text) {
        assertThatThrownBy(() -> new PartitionId(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid partition id " + text + ": four digits or NULL");
    }

    @Test
    void refusesPartitionIndexesOutsideOfFourDigits() {
        assertThatThrownBy(() -> PartitionId.ofIndex(10_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid partition id 10000: four digits or NULL");
        assertThatThrownBy(() -> PartitionId.ofIndex(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void runIdReadsBackItsText() {
        RunId id = new RunId(UUID.fromString("0190f5a4-7c3e-7b1a-9c2d-3e4f5a6b7c8d"));
        assertThat(RunId.parse(id.toString())).isEqualTo(id);
        assertThat(RunId.parse("0190F5A4-7C3E-7B1A-9C2D-3E4F5A6B7C8D")).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "latest",
                "1-1-1-1-1",
                "0190f5a4-7c3e-7b1a-9c2d-3e4f5a6b7c8",
                "0190f5a4-7c3e-7b1a-9c2d-3e4f5a6b7c8d0",
                "10190f5a4-7c3e-7b1a-9c2d-3e4f5a6b7c8d",
                "0190f5a47c3e7b1a9c2d3e4f5a6b7c8d"
            })
    void textThatIsNoRunIdIsNotFound(String text) {
        assertThatThrownBy(() -> RunId.parse(text))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.RUN_NOT_FOUND))
                .hasMessage("Cannot find run " + text + ": not a run id (a run id is a UUID)");
    }

    @Test
    void nullRangeHasNoBounds() {
        Bound bound = new Bound("bigint", "10");
        assertThat(KeyRange.between(null, null)).isEqualTo(KeyRange.ALL);
        assertThat(KeyRange.between(bound, null).lower()).isEqualTo(bound);
        assertThat(KeyRange.NULLS.isNull()).isTrue();
        assertThatThrownBy(() -> new KeyRange(bound, null, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid NULL range: it has bounds");
        assertThatThrownBy(() -> new KeyRange(null, bound, true))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void boundsOfOtherKindsAreNotEqual() {
        assertThat(new Bound("ctid", "(10,1)")).isNotEqualTo(new Bound("text", "(10,1)"));
    }

    @Test
    void failureKeepsTwoThousandCharacters() {
        assertThat(new Failure("EXTRACT", "X", "m".repeat(2_000)).message())
                .isEqualTo("m".repeat(2_000));
        assertThat(new Failure("EXTRACT", "X", "m".repeat(2_001)).message())
                .isEqualTo("m".repeat(1_999) + "…");
    }

    @Test
    void failureNeverCutsACharacterInHalf() {
        String message = "m".repeat(1_998) + "🌊🌊";
        assertThat(new Failure("EXTRACT", "X", message).message())
                .isEqualTo("m".repeat(1_998) + "…");
        String even = "m".repeat(1_997) + "🌊🌊";
        assertThat(new Failure("EXTRACT", "X", even).message())
                .isEqualTo("m".repeat(1_997) + "🌊" + "…");
    }

    @Test
    void runsAreActiveUntilTheyAreTerminal() {
        assertThat(Arrays.stream(RunState.values()).filter(RunState::isActive))
                .containsExactly(
                        RunState.CREATED,
                        RunState.EXTRACTING,
                        RunState.EXTRACTED_VALIDATED,
                        RunState.STAGE_VALIDATING,
                        RunState.STAGING_VALIDATED,
                        RunState.PUBLISHING,
                        RunState.PUBLISH_UNKNOWN,
                        RunState.PUBLISHED);
        for (RunState state : RunState.values()) {
            assertThat(state.isTerminal()).isNotEqualTo(state.isActive());
        }
    }

    @Test
    void partitionsAreClaimableOnlyBeforeAClaim() {
        for (PartitionState state : PartitionState.values()) {
            assertThat(state.isClaimable())
                    .isEqualTo(state == PartitionState.PENDING || state == PartitionState.RETRY);
            assertThat(state.isClaimable() && state.isTerminal()).isFalse();
        }
    }
}
