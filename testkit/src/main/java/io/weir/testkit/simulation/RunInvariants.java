package io.weir.testkit.simulation;

import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.run.RunRow;
import io.weir.ledger.run.StepRules;
import io.weir.testkit.simulation.SourceModel.Row;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What must be true of the rows of a run, said again without the code that makes it true. */
final class RunInvariants {
    private static final Set<RunState> READ = EnumSet.of(
            RunState.EXTRACTED_VALIDATED,
            RunState.STAGE_VALIDATING,
            RunState.STAGING_VALIDATED,
            RunState.PUBLISHING,
            RunState.PUBLISH_UNKNOWN,
            RunState.PUBLISHED,
            RunState.SUCCESS);
    static final Set<RunState> AUDITED = EnumSet.of(
            RunState.STAGING_VALIDATED,
            RunState.PUBLISHING,
            RunState.PUBLISH_UNKNOWN,
            RunState.PUBLISHED,
            RunState.SUCCESS);

    private final World world;

    RunInvariants(World world) {
        this.world = world;
    }

    void check(RunId id) {
        RunRow row = world.tables.run(id).orElseThrow();
        Run run = row.run();
        List<Partition> partitions = world.tables.partitionsOf(id);
        List<ChunkRow> chunks = world.tables.chunksOf(id);
        oneActive(run);
        Violation.check(
                "I21",
                world.journal.isKnownKey(row.idempotencyKey()),
                "A run without a request:",
                row.idempotencyKey());
        for (Partition partition : partitions) {
            partition(run, partition, chunks);
        }
        whole(run, partitions);
        asked(run);
        attempts(run);
        if (AUDITED.contains(run.state())) {
            audited(run, Stage.STAGING);
        }
        Violation.check(
                "I17",
                run.state() != RunState.SUCCESS || world.isWholeCut(run, Set.of(RunState.SUCCESS)),
                "Succeeded without its cut:",
                run.id());
        if (run.state() == RunState.SUCCESS || run.confirmedAt() != null) {
            audited(run, Stage.TARGET);
        }
    }

    private void oneActive(Run run) {
        long active = world.tables.allRuns().stream()
                .map(RunRow::run)
                .filter(other -> other.state().isActive()
                        && other.job().equals(run.job())
                        && other.businessKey().equals(run.businessKey())
                        && other.target().equals(run.target()))
                .count();
        Violation.check("I1", active <= 1, "Two active runs of one key:", run.id());
    }

    private void partition(Run run, Partition partition, List<ChunkRow> chunks) {
        Object name = "p" + partition.id() + " of " + run.id();
        Violation.check(
                "I26",
                partition.epoch() <= world.settings.ledger().claimsMax(),
                "Claimed too often:",
                name,
                partition.epoch());
        Violation.check(
                "I2",
                run.state() == RunState.EXTRACTING || partition.state().isTerminal(),
                "Open although its run is not extracting:",
                name,
                run.state());
        int count = 0;
        long bytes = 0;
        int highest = -1;
        boolean last = false;
        Balance sum = Balance.ZERO;
        for (ChunkRow row : chunks) {
            Chunk chunk = row.chunk();
            if (chunk.partitionId().equals(partition.id())) {
                path(run, chunk);
                Violation.check(
                        "I4", chunk.epoch() <= partition.epoch(), "A chunk of no claim:", chunk);
                if (chunk.epoch() == partition.epoch()) {
                    count++;
                    bytes += chunk.bytes();
                    sum = sum.plus(chunk.balance());
                    highest = Math.max(highest, chunk.index());
                    last = last || chunk.last();
                }
            }
        }
        boolean equal = partition.chunkCount() == count
                && partition.bytes() == bytes
                && partition.balance().equals(sum);
        Violation.check("I5", equal, "Counters are not the sum of the chunks:", name, partition);
        if (partition.state() == PartitionState.SUCCESS) {
            Long expected = partition.expectedRows();
            boolean complete = last && count == highest + 1;
            boolean all = expected == null || expected == sum.rows();
            Violation.check("I6", complete && all, "Succeeded with less than all:", name);
            List<Row> rows = Ranges.of(world.journal.sourceRows(run), partition.range());
            Violation.check(
                    "I7",
                    sum.equals(SourceModel.balanceOf(rows)),
                    "Counts other rows than its range holds:",
                    name);
        }
    }

    private static void path(Run run, Chunk chunk) {
        String path = chunk.path();
        if (path != null) {
            String expected = String.format(
                    Locale.ROOT,
                    "%1$s/p=%2$s/e=%3$d/%2$s-%4$06d.parquet",
                    run.dataPath(),
                    chunk.partitionId(),
                    chunk.epoch(),
                    chunk.index());
            Violation.check("I27", path.equals(expected), "A path of another chunk:", path);
        }
    }

    private static void whole(Run run, List<Partition> partitions) {
        Balance sum = Balance.ZERO;
        int succeeded = 0;
        for (Partition partition : partitions) {
            if (partition.state() == PartitionState.SUCCESS) {
                succeeded++;
                sum = sum.plus(partition.balance());
            }
        }
        Violation.check(
                "I8",
                run.succeededPartitions() == succeeded && run.extracted().equals(sum),
                "The run does not count its partitions:",
                run.id());
        Long expected = run.sourceCount();
        boolean all = succeeded == partitions.size()
                && run.partitionCount() == partitions.size()
                && expected != null
                && expected == sum.rows();
        Violation.check(
                "I8", !READ.contains(run.state()) || all, "Went on with less than all:", run.id());
    }

    /** Whoever waits has asked: in the same transaction, so there is no moment without. */
    private void asked(Run run) {
        List<Dispatch> all = world.tables.dispatchesOf(run.id());
        long open = all.stream().filter(row -> row.state().isOpen()).count();
        Violation.check("I10", open <= 1, "Two open steps:", run.id());
        for (Dispatch dispatch : all) {
            Violation.check(
                    "I10",
                    dispatch.attempts() >= 0
                            && dispatch.attempts()
                                    <= world.settings.ledger().dispatch().attemptsMax(),
                    "Delivered too often:",
                    dispatch);
        }
        Violation.check(
                "I9",
                run.state().isActive() || open == 0,
                "A step of a run that ended is open:",
                run.id());
        Optional<Dispatch.Kind> needed = StepRules.needed(run)
                .filter(kind ->
                        kind != Dispatch.Kind.PUBLISH_RUN || world.isWholeCut(run, AUDITED));
        if (needed.isPresent()) {
            Dispatch.Kind kind = needed.get();
            boolean asked = all.stream()
                    .anyMatch(row -> row.kind() == kind
                            && (row.state().isOpen() || row.state() == DispatchState.DEAD));
            Violation.check("I9", asked, "Waits for what nobody was asked:", run.id(), kind);
        }
    }

    private void attempts(Run run) {
        Map<String, Integer> unsettled = new LinkedHashMap<>();
        for (AttemptRow row : world.tables.allAttempts()) {
            PublishAttempt attempt = row.attempt();
            boolean open =
                    attempt.state() == AttemptState.OPEN || attempt.state() == AttemptState.UNKNOWN;
            if (open) {
                unsettled.merge(attempt.target(), 1, Integer::sum);
            }
            if (attempt.runId().equals(run.id())) {
                Violation.check(
                        "I28",
                        run.state().isActive() || (!open && attempt.state() != AttemptState.STAGED),
                        "An attempt outlives its run:",
                        attempt);
                boolean settled = attempt.state() == AttemptState.PUBLISHED
                        || attempt.state() == AttemptState.FAILED;
                Violation.check(
                        "I16",
                        !settled || attempt.evidence() != null,
                        "Settled without evidence:",
                        attempt);
            }
        }
        unsettled.forEach((target, count) ->
                Violation.check("I14", count <= 1, "Two open attempts of a target:", target));
    }

    /** Every required figure is in the books, equal to what the source held. */
    private void audited(Run run, Stage stage) {
        List<Row> rows = world.journal.sourceRows(run);
        Map<MetricName, String> required = new LinkedHashMap<>();
        required.put(MetricName.ROW_COUNT, Integer.toString(rows.size()));
        required.put(Ranges.SUM, Ranges.sum(rows));
        required.put(MetricName.BALANCE, SourceModel.balanceOf(rows).toString());
        required.put(MetricName.DUPLICATE_KEYS, "0");
        String id = stage == Stage.STAGING ? "I12" : "I17";
        for (Metric metric : world.tables.metricsOf(run.id())) {
            if (metric.stage() == stage) {
                Violation.check(
                        id,
                        metric.verdict() == Verdict.PASS
                                && Objects.equals(metric.expected(), metric.actual()),
                        "Passed with a metric that differs:",
                        metric);
                if (metric.subject().equals(Metric.RUN)
                        && metric.actual() != null
                        && metric.actual().equals(required.get(metric.name()))) {
                    required.remove(metric.name());
                }
            }
        }
        Violation.check(
                id, required.isEmpty(), "Passed without what is required:", run.id(), required);
        if (stage == Stage.STAGING) {
            for (ChunkRow row : world.tables.chunksOf(run.id())) {
                Chunk chunk = row.chunk();
                boolean counted = world.tables.partitionsOf(run.id()).stream()
                        .anyMatch(partition -> partition.id().equals(chunk.partitionId())
                                && partition.epoch() == chunk.epoch());
                Violation.check(
                        "I12",
                        !counted
                                || (chunk.state() == ChunkState.VERIFIED
                                        && chunk.balance().equals(chunk.measured())),
                        "Passed with a file that nobody verified:",
                        chunk);
            }
        }
    }
}
