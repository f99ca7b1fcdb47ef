package io.weir.ledger.metric;

import io.weir.core.ledger.FileMeasure;
import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Run;
import io.weir.ledger.chunk.ChunkRow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the staged files with the chunks: the same paths, and for each the balance of the file
 * encoder equal to that of the source encoder.
 */
public final class FileRules {
    private final Run run;
    private final List<ChunkRow> judged = new ArrayList<>();
    private final List<Metric> metrics = new ArrayList<>();

    private FileRules(Run run) {
        this.run = run;
    }

    /**
     * Judges every file.
     *
     * @param chunks those that count
     * @param stored the metrics in the books: a file that failed before is judged again, so that
     *     its row does not outlive a good measurement
     */
    public static FileRules judge(
            Run run, List<ChunkRow> chunks, List<FileMeasure> files, List<Metric> stored) {
        FileRules rules = new FileRules(run);
        Map<String, Balance> measured = new LinkedHashMap<>();
        Set<String> twice = new HashSet<>();
        for (FileMeasure file : files) {
            if (measured.put(file.path(), file.balance()) != null) {
                twice.add(file.path());
            }
        }
        Set<String> failedBefore = new HashSet<>();
        for (Metric metric : stored) {
            if (metric.stage() == Stage.STAGING && !metric.subject().equals(Metric.RUN)) {
                failedBefore.add(metric.subject());
            }
        }
        for (ChunkRow row : chunks) {
            rules.judgeChunk(row, measured, twice, failedBefore);
        }
        for (Map.Entry<String, Balance> unexpected : measured.entrySet()) {
            String subject = rules.subject(unexpected.getKey());
            failedBefore.remove(subject);
            rules.compare(subject, null, unexpected.getValue());
        }
        for (String gone : failedBefore) {
            rules.compare(gone, null, null);
        }
        return rules;
    }

    /** The chunks with their verdicts, in the order given. */
    public List<ChunkRow> chunks() {
        return List.copyOf(judged);
    }

    /** Two metrics for every file that fails or failed before. */
    public List<Metric> metrics() {
        return List.copyOf(metrics);
    }

    public List<Metric> failures() {
        return metrics.stream()
                .filter(metric -> metric.verdict() == Verdict.FAIL)
                .toList();
    }

    /** Takes the file of the chunk out of the measured ones. */
    private void judgeChunk(
            ChunkRow row, Map<String, Balance> measured, Set<String> twice, Set<String> before) {
        Chunk chunk = row.chunk();
        String path = chunk.path();
        if (path == null) {
            // No rows, no file: there is nothing that could differ.
            judged.add(judged(row, null, ChunkState.VERIFIED));
            return;
        }
        String subject = subject(path);
        Balance found = measured.remove(path);
        boolean same = chunk.balance().equals(found) && !twice.contains(path);
        judged.add(judged(row, found, same ? ChunkState.VERIFIED : ChunkState.FAILED));
        boolean failedBefore = before.remove(subject);
        if (!same || failedBefore) {
            // A file staged twice would publish its rows twice.
            Balance counted = found != null && twice.contains(path) ? found.plus(found) : found;
            compare(subject, chunk.balance(), counted);
        }
    }

    private void compare(String subject, @Nullable Balance expected, @Nullable Balance found) {
        metrics.add(MetricRules.judge(
                Stage.STAGING,
                subject,
                MetricName.ROW_COUNT,
                expected == null ? null : Long.toString(expected.rows()),
                found == null ? null : Long.toString(found.rows())));
        metrics.add(MetricRules.judge(
                Stage.STAGING,
                subject,
                MetricName.BALANCE,
                expected == null ? null : expected.toString(),
                found == null ? null : found.toString()));
    }

    /** Relative to the data of the run: file names repeat in every partition. */
    private String subject(String path) {
        String prefix = run.dataPath() + "/";
        return path.startsWith(prefix) ? path.substring(prefix.length()) : path;
    }

    private static ChunkRow judged(ChunkRow row, @Nullable Balance measured, ChunkState state) {
        Chunk chunk = row.chunk();
        return new ChunkRow(
                new Chunk(
                        chunk.runId(),
                        chunk.partitionId(),
                        chunk.epoch(),
                        chunk.index(),
                        chunk.path(),
                        chunk.bytes(),
                        chunk.balance(),
                        measured == null && chunk.path() == null ? chunk.balance() : measured,
                        chunk.last(),
                        state),
                row.losses());
    }
}
