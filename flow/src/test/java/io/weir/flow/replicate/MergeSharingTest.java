package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.engine.MergeShare;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** How many tables are merged at once. */
class MergeSharingTest {
    private static final long MB = 1L << 20;
    private static final long PLENTY = 1L << 40;
    private static final MergeShare WHOLE = new MergeShare(1024 * MB, 8);

    private static MergeSharing of(long free, int limit, long... needs) {
        return MergeSharing.of(
                Arrays.stream(needs).map(need -> need * MB).boxed().toList(), WHOLE, free, limit);
    }

    private static List<Long> megabytes(MergeSharing sharing) {
        return sharing.shares().stream().map(share -> share.memoryBytes() / MB).toList();
    }

    @Test
    void smallTablesAreMergedManyAtOnce() {
        MergeSharing sharing = of(
                PLENTY,
                8,
                Collections.nCopies(20, 64L).stream().mapToLong(Long::longValue).toArray());
        assertThat(sharing.atOnce()).isEqualTo(8);
        assertThat(sharing.shares()).hasSize(20).containsOnly(new MergeShare(128 * MB, 1));
    }

    @Test
    void fewTablesShareAllThereIs() {
        assertThat(of(PLENTY, 8, 64).shares()).containsExactly(WHOLE);
        assertThat(of(PLENTY, 8, 64, 64).shares()).containsOnly(new MergeShare(512 * MB, 4));
    }

    @Test
    void largeTablesAreMergedFewAtOnceAndGetMore() {
        MergeSharing sharing = of(PLENTY, 8, 600, 300, 128, 128);
        assertThat(sharing.atOnce()).isEqualTo(2);
        assertThat(megabytes(sharing)).containsExactly(682L, 341L, 145L, 145L);
        assertThat(of(PLENTY, 8, 5_000, 64).atOnce()).isEqualTo(1);
        assertThat(megabytes(of(PLENTY, 8, 5_000, 64))).containsExactly(1024L, 1024L);
    }

    @Test
    void memoryThatIsTakenIsNotGivenOut() {
        long free = 300 * MB + MergeSharing.RESERVE;
        MergeSharing sharing = of(free, 8, 64, 64, 64, 64);
        assertThat(sharing.atOnce()).isEqualTo(2);
        assertThat(megabytes(sharing)).containsOnly(150L);
        assertThat(of(0, 8, 64, 64).shares()).containsOnly(new MergeShare(128 * MB, 8));
    }

    @Test
    void anEngineOfLittleMemoryMergesOneAtATime() {
        MergeShare little = new MergeShare(50 * MB, 2);
        MergeSharing sharing = MergeSharing.of(List.of(64 * MB, 64 * MB), little, PLENTY, 8);
        assertThat(sharing.atOnce()).isEqualTo(1);
        assertThat(sharing.shares()).containsOnly(little);
    }

    @Test
    void sharesOfThoseThatRunAtOnceFitTogether() {
        for (int tables = 1; tables <= 12; tables++) {
            long[] needs = new long[tables];
            for (int i = 0; i < tables; i++) {
                needs[i] = 900L / (i + 1);
            }
            MergeSharing sharing = of(PLENTY, 8, needs);
            long most = sharing.shares().stream()
                    .sorted(Comparator.comparing(MergeShare::memoryBytes).reversed())
                    .limit(sharing.atOnce())
                    .mapToLong(MergeShare::memoryBytes)
                    .sum();
            assertThat(most).isLessThanOrEqualTo(WHOLE.memoryBytes());
        }
    }

    @Test
    void theNeedGrowsWithChangesAndRows() {
        assertThat(MergeSharing.need(0, 0)).isEqualTo(64 * MB);
        assertThat(MergeSharing.need(10 * MB, 0)).isEqualTo(144 * MB);
        assertThat(MergeSharing.need(0, 1 << 20)).isEqualTo(72 * MB);
    }

    @Test
    void thePaceHalvesWhenMemoryRunsOutAndGrowsAfterGoodRounds() {
        MergePace pace = MergePace.begin(8);
        assertThat(pace.after(8, false, 8)).isEqualTo(pace);
        pace = pace.after(8, true, 8);
        assertThat(pace.limit()).isEqualTo(4);
        pace = pace.after(3, true, 8);
        assertThat(pace.limit()).isEqualTo(1);
        assertThat(pace.after(1, true, 8).limit()).isEqualTo(1);
        for (int round = 1; round < MergePace.GOOD_ROUNDS; round++) {
            pace = pace.after(1, false, 8);
            assertThat(pace.limit()).isEqualTo(1);
        }
        pace = pace.after(1, false, 8);
        assertThat(pace).isEqualTo(new MergePace(2, 0));
        assertThat(MergePace.begin(0).limit()).isEqualTo(1);
    }
}
