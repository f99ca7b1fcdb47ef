package io.weir.testkit.simulation;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.run.RunRow;
import io.weir.testkit.ledger.MemoryTables;
import io.weir.testkit.simulation.SourceModel.Row;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What clients were told, and therefore what has to stay. */
final class Journal {
    private final World world;
    private final Map<String, RunId> runOfKey = new LinkedHashMap<>();
    private final Map<RunId, Map<String, List<Row>>> planned = new LinkedHashMap<>();
    private final Map<RunId, List<Ack>> acks = new LinkedHashMap<>();

    Journal(World world) {
        this.world = world;
    }

    private record Ack(String what, Predicate<MemoryTables> stays) {}

    private void keep(RunId run, String what, Predicate<MemoryTables> stays) {
        Ack ack = new Ack(what, stays);
        acks.computeIfAbsent(run, id -> new ArrayList<>()).add(ack);
        check(ack);
    }

    /** Whether everything that clients were told about a run is still true. */
    void check(RunId run) {
        acks.getOrDefault(run, List.of()).forEach(this::check);
    }

    private void check(Ack ack) {
        Violation.check(
                "I22",
                ack.stays().test(world.tables),
                "A client was told what is not:",
                ack.what());
    }

    void created(String key, Run run) {
        RunId before = runOfKey.putIfAbsent(key, run.id());
        Violation.check(
                "I21",
                before == null || before.equals(run.id()),
                "One key, two runs:",
                key,
                before,
                run.id());
        keep(
                run.id(),
                "created " + key,
                tables -> tables.run(run.id())
                        .filter(row -> row.idempotencyKey().equals(key))
                        .isPresent());
    }

    /** The key under which a run was created, whether or not its client knows. */
    String keyOf(RunId run) {
        return world.tables.run(run).map(RunRow::idempotencyKey).orElse("");
    }

    void planned(RunId run, String token, List<Row> rows) {
        planned.computeIfAbsent(run, id -> new LinkedHashMap<>()).put(token, List.copyOf(rows));
    }

    /** What the source held at the snapshot that the manifest of a run names. */
    List<Row> sourceRows(Run run) {
        return Optional.ofNullable(run.snapshot())
                .map(token -> planned.getOrDefault(run.id(), Map.of()).get(token.text()))
                .orElse(List.of());
    }

    void registered(RunId run) {
        keep(
                run,
                "registered",
                tables -> tables.run(run)
                        .filter(row -> row.manifestDigest() != null)
                        .isPresent());
    }

    void claimed(WorkOrder order) {
        Claim claim = order.claim();
        keep(
                claim.runId(),
                "claimed " + claim,
                tables -> partition(tables, claim)
                        .filter(row -> row.epoch() > claim.epoch()
                                || (row.epoch() == claim.epoch()
                                        && claim.token().equals(row.token())))
                        .isPresent());
    }

    /** Asked while the report is carried out: the owner, and nobody else, was accepted. */
    void accepted(Claim claim, ReportReply reply) {
        if (reply.partitionState() == PartitionState.RUNNING
                || reply.partitionState() == PartitionState.SUCCESS) {
            Violation.check(
                    "I4",
                    partition(world.tables, claim)
                            .filter(row -> row.epoch() == claim.epoch()
                                    && claim.token().equals(row.token()))
                            .isPresent(),
                    "A report of another claim was accepted:",
                    claim);
        }
    }

    void reported(Claim claim, ChunkReport report) {
        keep(
                claim.runId(),
                "reported " + claim + " " + report,
                tables -> tables.chunksOf(claim.runId()).stream()
                        .map(row -> row.chunk())
                        .anyMatch(chunk -> chunk.partitionId().equals(claim.partitionId())
                                && chunk.epoch() == claim.epoch()
                                && chunk.index() == report.index()
                                && chunk.balance().equals(report.balance())));
    }

    /** Asked while the step is started. */
    void started(RunId run, String owner, boolean mine) {
        boolean owned = world.tables
                .run(run)
                .filter(row -> owner.equals(row.run().owner()))
                .isPresent();
        Violation.check("I11", !mine || owned, "Told to do a step that another does:", owner);
    }

    void opened(PublishAttempt attempt) {
        keep(
                attempt.runId(),
                "opened attempt " + attempt.epoch(),
                tables -> tables.attemptsOf(attempt.runId()).stream()
                        .anyMatch(row -> row.attempt().epoch() == attempt.epoch()
                                && row.attempt().token().equals(attempt.token())));
    }

    void settled(PublishAttempt attempt, PublishOutcome outcome) {
        if (outcome == PublishOutcome.PUBLISHED) {
            keep(
                    attempt.runId(),
                    "published attempt " + attempt.epoch(),
                    tables -> tables.attemptsOf(attempt.runId()).stream()
                            .anyMatch(row -> row.attempt().epoch() == attempt.epoch()
                                    && row.attempt().state() == AttemptState.PUBLISHED));
        }
    }

    void confirmed(RunId run) {
        keep(
                run,
                "confirmed",
                tables -> tables.run(run)
                        .filter(row -> row.run().confirmedAt() != null)
                        .isPresent());
    }

    void cancelled(RunId run) {
        keep(
                run,
                "cancelled",
                tables -> tables.run(run)
                        .filter(row -> row.run().state() == RunState.CANCELLED)
                        .isPresent());
    }

    /** Every run was asked for by a key that somebody plans with. */
    boolean isKnownKey(String key) {
        return world.plans.stream().anyMatch(plan -> key.startsWith(plan.scheduler + "/"));
    }

    private static Optional<Partition> partition(MemoryTables tables, Claim claim) {
        return tables.partitionsOf(claim.runId()).stream()
                .filter(row -> row.id().equals(claim.partitionId()))
                .findFirst();
    }
}
