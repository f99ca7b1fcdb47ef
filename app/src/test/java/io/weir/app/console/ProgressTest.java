package io.weir.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.PartitionId;
import io.weir.flow.load.PartitionProgress;
import io.weir.flow.load.PartitionProgress.Phase;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

class ProgressTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MB = 1 << 20;

    private final AtomicLong clock = new AtomicLong();
    private final Speedometer speed = new Speedometer(clock::get);

    private static PartitionProgress partition(int index, Phase phase, long rows, long bytes) {
        return new PartitionProgress(PartitionId.ofIndex(index), phase, rows, bytes, 100 * MB);
    }

    @Test
    void speedAndTimeLeftCountFromTheFirstSightOfReading() {
        speed.reset();
        clock.addAndGet(10 * SECOND);
        PartitionProgress started = partition(0, Phase.READING, 0, 0);
        speed.see(List.of(started));
        clock.addAndGet(2 * SECOND);

        assertThat(speed.of(partition(0, Phase.READING, 1_234, 20 * MB)))
                .isEqualTo("1,234 rows  10.0 MB/s  ETA 8.0 s");
    }

    @Test
    void partitionThatWasNeverSeenReadingCountsFromTheBeginning() {
        speed.reset();
        clock.addAndGet(4 * SECOND);
        PartitionProgress done = partition(0, Phase.DONE, 10, 20 * MB);
        speed.see(List.of(done));

        assertThat(speed.of(done)).isEqualTo("10 rows  5.0 MB/s");
    }

    @Test
    void allPartitionsTogetherExpectWhatIsLeftOfEach() {
        speed.reset();
        clock.addAndGet(10 * SECOND);

        String text = speed.of(List.of(
                partition(0, Phase.DONE, 100, 50 * MB),
                partition(1, Phase.READING, 50, 50 * MB),
                partition(2, Phase.WAITING, 0, 0)));

        assertThat(text).isEqualTo("150 rows  10.0 MB/s  ETA 15.0 s");
    }

    @Test
    void tableColumnsAreAsWideAsTheirWidestCell() {
        TextTable table = new TextTable(List.of("A", "B"));
        table.add(List.of("größer", "x\ny"));

        assertThat(table.toString()).isEqualTo("A       B\ngrößer  x\\ny\n");
    }
}
