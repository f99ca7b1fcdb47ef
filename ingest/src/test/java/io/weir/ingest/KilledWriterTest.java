package io.weir.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * Kills a writing process again and again; each new one goes on where the table says. The number of
 * kills is property {@code weir.ingest.kills}, the seed {@code weir.ingest.seed}.
 */
class KilledWriterTest extends HouseTest {
    private static final int KILLS = Integer.getInteger("weir.ingest.kills", 5);
    private static final long SEED = Long.getLong("weir.ingest.seed", 1);
    private static final int LINES_MAX = 24;
    private static final long PAUSE_NANOS_MAX = 40_000_000;

    private long acknowledged;

    @Test
    void noKillLosesOrDoublesARow() throws Exception {
        house.plain();
        Random random = new Random(SEED);
        for (int kill = 0; kill < KILLS; kill++) {
            killAfter(
                    1 + random.nextInt(LINES_MAX), (long) (random.nextDouble() * PAUSE_NANOS_MAX));
        }
        long last;
        try (StreamingConnection connection =
                house.to("plain").withSource(KilledWriter.SOURCE).connect()) {
            last = connection.lastCommitted(KilledWriter.SOURCE).orElse(0);
        }

        List<String> expected = new ArrayList<>();
        for (long row = KilledWriter.ROWS; row < (last + 1) * KilledWriter.ROWS; row++) {
            expected.add(row + ",x");
        }
        assertThat(last).isGreaterThanOrEqualTo(acknowledged);
        assertThat(house.rows("plain"))
                .as("seed %s", SEED)
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(house.balance("plain")).isEqualTo(house.measured("plain"));
        // Every file on disk is named by some snapshot: orphans are gone.
        Set<String> named = new TreeSet<>(house.filesOfAllSnapshots("plain"));
        for (Path file : house.filesOnDisk("plain")) {
            assertThat(named).contains("file://" + file);
        }
    }

    /** Starts a writer, reads some of what it says, waits a moment and kills it. */
    private void killAfter(int lines, long nanos) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledWriter.class.getName(),
                        house.config.name(),
                        house.config.jdbcUrl(),
                        house.config.user(),
                        String.valueOf(house.config.password()),
                        house.config.warehouse())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            int seen = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith("done ")) {
                    acknowledged = Long.parseLong(line.substring(5));
                }
                boolean says = line.startsWith("from ")
                        || line.startsWith("commit ")
                        || line.startsWith("done ");
                seen += says ? 1 : 0;
                if (seen == lines && process.isAlive() && says) {
                    LockSupport.parkNanos(nanos);
                    // The process object would close its output, which holds lines to be read.
                    process.toHandle().destroyForcibly();
                }
            }
            assertThat(seen).isGreaterThanOrEqualTo(lines);
        }
        assertThat(process.waitFor()).isEqualTo(137);
    }
}
