package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.Measure;
import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Chunk;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.engine.Engine;
import io.weir.engine.MeasuredFile;
import io.weir.engine.Measurement;
import io.weir.engine.RoutedFile;
import io.weir.table.FileEntry;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Measures files for the ledger to judge; has no opinion of its own. */
final class Audit {
    private static final int REASONS_SHOWN = 5;

    private final Ledger ledger;
    private final Engine engine;
    /** By run, what the files were that this process has audited: checksums by location. */
    private final Map<RunId, Map<String, String>> audited = new ConcurrentHashMap<>();

    Audit(Ledger ledger, Engine engine) {
        this.ledger = ledger;
        this.engine = engine;
    }

    /**
     * Measures the staged files, each by itself and all together.
     *
     * @throws WeirException {@link ErrorCode#VALIDATION_FAILED} naming file, metric, expected and
     *     found
     */
    void staged(RunId runId, LakeTable table, List<FileEntry> files) {
        RunDetail detail = ledger.detail(runId);
        Measured measured = measure(detail, table, files);
        audited.put(runId, measured.checksums());
        ledger.recordFiles(runId, measured.files());
        ledger.recordMetrics(runId, Stage.STAGING, measured.metrics());
        Judgement judgement = ledger.stageValidated(runId);
        if (!judgement.passed()) {
            String what = "staged files for " + detail.run().target() + measured.misplaced();
            throw failed(runId, what, judgement);
        }
    }

    /** A renewed attempt must stage exactly what was audited. */
    void sameFiles(RunId runId, List<FileEntry> files) {
        Set<String> audited = chunkPaths(ledger.detail(runId));
        Set<String> staged = files.stream().map(FileEntry::path).collect(Collectors.toSet());
        if (!audited.equals(staged)) {
            throw new WeirException(
                    ErrorCode.LEDGER_INVARIANT,
                    "Cannot publish run "
                            + runId
                            + ": other files are staged than were audited (audited="
                            + audited.size()
                            + ", staged="
                            + staged.size()
                            + ")");
        }
    }

    /**
     * Reads the published snapshot back: every file of the run is there, after a replacement
     * nothing else is, and the files still measure the same. The rows of a file are not decoded
     * again where each of its bytes is still what this process has audited.
     */
    Judgement published(Run run, LakeTable table, List<FileEntry> live) {
        RunDetail detail = ledger.detail(run.id());
        Set<String> own = chunkPaths(detail);
        List<FileEntry> ours =
                live.stream().filter(file -> own.contains(file.path())).toList();
        boolean alone = run.publishMode() != PublishMode.REPLACE || live.size() == ours.size();
        if (ours.size() != own.size() || !alone) {
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot confirm run "
                            + run.id()
                            + ": the published snapshot of "
                            + run.target()
                            + " holds other files than were audited (audited="
                            + own.size()
                            + ", found="
                            + ours.size()
                            + ", all="
                            + live.size()
                            + ")");
        }
        List<Measure> found = isUnchanged(run.id(), ours)
                ? staged(detail)
                : measure(detail, table, ours).metrics();
        ledger.recordMetrics(run.id(), Stage.TARGET, found);
        return ledger.succeed(run.id());
    }

    private boolean isUnchanged(RunId runId, List<FileEntry> files) {
        Map<String, String> checksums = audited.getOrDefault(runId, Map.of());
        if (files.size() != checksums.size()) {
            return false;
        }
        List<String> now = engine.checksums(
                files.stream().map(file -> LocalFileIO.pathOf(file.path())).toList());
        for (int i = 0; i < now.size(); i++) {
            if (!now.get(i).equals(checksums.get(files.get(i).path()))) {
                return false;
            }
        }
        return true;
    }

    /** What the audit of the staged files has found. */
    private static List<Measure> staged(RunDetail detail) {
        return detail.metrics().stream()
                .filter(metric ->
                        metric.stage() == Stage.STAGING && metric.subject().equals(Metric.RUN))
                .map(metric -> new Measure(metric.name(), metric.actual()))
                .toList();
    }

    static WeirException failed(RunId runId, String what, Judgement judgement) {
        List<String> reasons = new ArrayList<>();
        // A file says more than the whole: where to look comes first.
        judgement.failures().stream()
                .sorted(Comparator.comparing(metric -> metric.subject().equals(Metric.RUN)))
                .map(Metric::toString)
                .forEach(reasons::add);
        if (reasons.isEmpty()) {
            reasons.addAll(judgement.reasons());
        }
        int hidden = reasons.size() - REASONS_SHOWN;
        String shown = reasons.stream().limit(REASONS_SHOWN).collect(Collectors.joining("; "));
        return new WeirException(
                ErrorCode.VALIDATION_FAILED,
                "Cannot accept run "
                        + runId
                        + ": the "
                        + what
                        + " differ from what was read ("
                        + shown
                        + (hidden > 0 ? "; and " + hidden + " more" : "")
                        + ")");
    }

    private Measured measure(RunDetail detail, LakeTable table, List<FileEntry> files) {
        RowSchema schema = new RowSchema(table.schema().columns(), detail.run().keyColumns());
        List<RoutedFile> routed = files.stream()
                .map(file -> new RoutedFile(LocalFileIO.pathOf(file.path()), file.route()))
                .toList();
        List<MetricName> names = new ArrayList<>();
        for (Metric metric : detail.metrics()) {
            if (metric.stage() == Stage.SOURCE) {
                names.add(metric.name());
            }
        }
        if (!schema.key().isEmpty()) {
            names.add(MetricName.DUPLICATE_KEYS);
        }
        Measurement measurement = engine.measure(routed, table.partitionBy(), schema, names);
        List<FileMeasure> perFile = new ArrayList<>();
        Map<String, String> checksums = new HashMap<>();
        StringBuilder misplaced = new StringBuilder();
        for (MeasuredFile file : measurement.files()) {
            if (file.misplacedRows() > 0 && misplaced.length() == 0) {
                misplaced
                        .append(", of which ")
                        .append(file.path())
                        .append(" holds rows of another")
                        .append(" partition than the table says,");
            }
            String location = LocalFileIO.locationOf(file.path());
            perFile.add(new FileMeasure(location, file.balance()));
            checksums.put(location, file.checksum());
        }
        List<Measure> metrics = new ArrayList<>(measurement.metrics());
        metrics.add(new Measure(MetricName.BALANCE, measurement.balance().toString()));
        return new Measured(perFile, checksums, metrics, misplaced.toString());
    }

    private static Set<String> chunkPaths(RunDetail detail) {
        Set<String> paths = detail.chunks().stream()
                .map(Chunk::path)
                .filter(path -> path != null)
                .collect(Collectors.toSet());
        return paths;
    }

    /** Of rows that are out of place, names the first file. */
    private record Measured(
            List<FileMeasure> files,
            Map<String, String> checksums,
            List<Measure> metrics,
            String misplaced) {}
}
