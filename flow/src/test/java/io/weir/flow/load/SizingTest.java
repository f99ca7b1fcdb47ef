package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.PublishMode;
import io.weir.source.TableSpec;

import org.junit.jupiter.api.Test;

class SizingTest {
    private static final long MB = 1L << 20;

    private static LoadJob job() {
        return new LoadJob(
                "orders",
                "shop",
                TableSpec.of("orders"),
                "sales.orders",
                PublishMode.REPLACE,
                MetricPlan.Verify.METRICS,
                true,
                LoadJob.PARTITION_BYTES_DEFAULT,
                LoadJob.CHUNK_BYTES_DEFAULT);
    }

    private static long partitionBytes(long tableBytes, int workers) {
        return job().splitOptions(tableBytes, workers).targetBytesPerPartition();
    }

    @Test
    void everyWorkerGetsTwoPartitionsOfAMiddlingTable() {
        assertThat(partitionBytes(1200 * MB, 2)).isEqualTo(300 * MB);
    }

    @Test
    void smallTablesAreNotCutToPiecesAndLargeOnesNotLeftInLumps() {
        assertThat(partitionBytes(50 * MB, 8)).isEqualTo(32 * MB);
        assertThat(partitionBytes(1 << 20, 2)).isEqualTo(32 * MB);
        assertThat(partitionBytes(900_000 * MB, 2)).isEqualTo(512 * MB);
    }

    @Test
    void chunkBudgetFollowsWhatFilesTook() {
        ChunkSizer sizer = new ChunkSizer(100 * MB);
        assertThat(sizer.sourceBytesMax()).isEqualTo(300 * MB);

        sizer.learn(80 * MB, 10 * MB);
        assertThat(sizer.sourceBytesMax()).isEqualTo(800 * MB);

        sizer.learn(5 * MB, 10 * MB);
        assertThat(sizer.sourceBytesMax()).isEqualTo(100 * MB);

        sizer.learn(0, 0);
        assertThat(sizer.sourceBytesMax()).isEqualTo(100 * MB);
    }
}
