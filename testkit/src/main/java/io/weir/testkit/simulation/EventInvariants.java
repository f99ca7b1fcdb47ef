package io.weir.testkit.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.run.Event;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.event.EventFold;
import io.weir.ledger.run.RunRow;
import io.weir.testkit.ledger.RowDocuments;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must be true of each step from row to row, and of the events that tell of it. */
final class EventInvariants {
    private static final int WHOLE_EVERY = 16;
    private static final Set<String> TERMS = Set.of(
            "snapshot_kind",
            "snapshot_text",
            "source_count",
            "partition_count",
            "column_names",
            "key_columns");
    private static final Map<RunState, Set<RunState>> ALLOWED = allowed();

    private final World world;
    private final Map<RunId, Past> pasts = new LinkedHashMap<>();

    EventInvariants(World world) {
        this.world = world;
    }

    /** What was known about a run before. */
    private static final class Past {
        long sequence;
        int commits;
        int extracted;

        @Nullable
        RunState state;

        @Nullable
        String owner;

        @Nullable
        Instant lease;

        final Map<String, Long> epochs = new LinkedHashMap<>();
        final Map<String, Instant> leases = new LinkedHashMap<>();
        final Set<String> losses = new LinkedHashSet<>();
        final Map<String, ObjectNode> folded = new LinkedHashMap<>();
    }

    void check(RunId id) {
        Past past = pasts.computeIfAbsent(id, key -> new Past());
        List<Event> events = world.tables.eventsOf(id);
        Set<String> changed = new LinkedHashSet<>();
        for (Event event : events) {
            if (event.sequence() > past.sequence) {
                past.sequence = event.sequence();
                event(past, event, changed);
            }
        }
        leases(past, world.tables.run(id).orElseThrow());
        past.commits++;
        if (past.commits % WHOLE_EVERY == 0) {
            checkWhole(id);
        } else if (!changed.isEmpty()) {
            Map<String, ObjectNode> rows = RowDocuments.of(world.tables, id, changed::contains);
            for (String name : changed) {
                same(id, name, past.folded.get(name), rows.get(name));
            }
        }
    }

    /** Every row of a run is what its events fold to. */
    void checkWhole(RunId id) {
        Past past = pasts.computeIfAbsent(id, key -> new Past());
        Map<String, ObjectNode> rows = RowDocuments.of(world.tables, id);
        Violation.check(
                "I24",
                rows.keySet().equals(past.folded.keySet()),
                "Events know other rows:",
                id,
                rows.keySet(),
                past.folded.keySet());
        rows.forEach((name, row) -> same(id, name, past.folded.get(name), row));
    }

    private static void same(
            RunId id, String name, @Nullable ObjectNode folded, @Nullable ObjectNode row) {
        boolean equal = folded == null ? row == null : folded.equals(row);
        Violation.check("I24", equal, "A row is not what its events say:", id, name, row, folded);
    }

    private void event(Past past, Event event, Set<String> changed) {
        if (event.name().equals("PUBLISH_RUN_ASKED")) {
            Run run = world.tables.run(event.runId()).orElseThrow().run();
            Violation.check(
                    "I9",
                    world.isWholeCut(run, RunInvariants.AUDITED),
                    "Published before all of its cut were audited:",
                    run.id());
        }
        EventFold.changes(event).forEach((name, fields) -> {
            if (name.equals("run")) {
                run(past, event, fields);
            } else if (name.startsWith("partition/")) {
                partition(past, event, name, fields);
            }
            if (!name.equals("operator") && !name.startsWith("target/")) {
                past.folded
                        .computeIfAbsent(name, key -> EventFold.begin(event, key))
                        .setAll(fields);
                changed.add(name);
            }
        });
    }

    private void run(Past past, Event event, ObjectNode fields) {
        if (fields.has("state")) {
            RunState next = RunState.valueOf(fields.get("state").asText());
            RunState before = past.state;
            boolean legal = before == null
                    ? next == RunState.CREATED
                    : ALLOWED.getOrDefault(before, Set.of()).contains(next);
            Violation.check("I2", legal, "No such way:", event.runId(), before, next);
            past.state = next;
        }
        if (fields.has("owner")) {
            JsonNode owner = fields.get("owner");
            String next = owner.isNull() ? null : owner.asText();
            Violation.check(
                    "I11",
                    past.owner == null || next == null,
                    "A step changes its owner:",
                    event.runId(),
                    past.owner,
                    next);
            past.owner = next;
        }
        if (event.name().equals("RUN_EXTRACTED")) {
            past.extracted++;
            Violation.check("I9", past.extracted == 1, "Extracted twice:", event.runId());
        }
        if (!event.name().equals("RUN_CREATED") && !event.name().equals("MANIFEST_REGISTERED")) {
            TERMS.forEach(term -> Violation.check(
                    "I18", !fields.has(term), "A term changed:", event.runId(), term));
        }
        boolean lost = event.name().equals("STEP_LOST")
                || fields.path("failure_message").asText("").contains("gave no sign since");
        Instant lease = past.lease;
        Violation.check(
                "I20",
                !lost || lease == null || !event.at().isBefore(lease),
                "Taken for lost before its lease ended:",
                event.runId(),
                event.at(),
                lease);
    }

    private void partition(Past past, Event event, String name, ObjectNode fields) {
        if (fields.has("epoch")) {
            long next = fields.get("epoch").asLong();
            long before = past.epochs.getOrDefault(name, -1L);
            Violation.check(
                    "I3", next == before + 1, "Epochs do not grow by one:", name, before, next);
            past.epochs.put(name, next);
        }
        boolean lost = event.name().equals("PARTITION_REISSUED")
                || fields.path("failure_code").asText("").equals("LEASE_LOST");
        if (lost) {
            Instant lease = past.leases.get(name);
            String claim = name + "/" + past.epochs.get(name);
            Violation.check("I20", past.losses.add(claim), "Lost twice:", event.runId(), claim);
            Violation.check(
                    "I20",
                    lease != null && !event.at().isBefore(lease),
                    "Taken for lost before its lease ended:",
                    event.runId(),
                    name,
                    event.at(),
                    lease);
        }
    }

    /** A lease counts from the clock of the books, looked at in this transaction. */
    private void leases(Past past, RunRow row) {
        Run run = row.run();
        if (past.lease != null && !run.leaseUntil().equals(past.lease)) {
            fresh(run.leaseUntil(), row.lease(), "run " + run.id());
        }
        past.lease = run.leaseUntil();
        for (Partition partition : world.tables.partitionsOf(run.id())) {
            String name = "partition/" + partition.id();
            Instant until = partition.leaseUntil();
            if (partition.state() == PartitionState.RUNNING && until != null) {
                if (!until.equals(past.leases.get(name))) {
                    fresh(until, world.settings.ledger().claimLease(), name);
                }
                past.leases.put(name, until);
            }
        }
    }

    private void fresh(Instant until, Duration lease, String what) {
        Instant now = world.clock.time();
        Duration age = Duration.between(until.minus(lease), now);
        Violation.check(
                "I19",
                !age.isNegative() && age.toMillis() < 1,
                "A lease does not count from now:",
                what,
                age);
    }

    private static Map<RunState, Set<RunState>> allowed() {
        Map<RunState, Set<RunState>> ways = new EnumMap<>(RunState.class);
        ways.put(RunState.CREATED, EnumSet.of(RunState.EXTRACTING, RunState.FAILED_MANIFEST));
        ways.put(
                RunState.EXTRACTING,
                EnumSet.of(
                        RunState.EXTRACTED_VALIDATED,
                        RunState.FAILED_EXTRACT,
                        RunState.FAILED_SNAPSHOT_EXPIRED));
        ways.put(
                RunState.EXTRACTED_VALIDATED,
                EnumSet.of(
                        RunState.STAGE_VALIDATING,
                        RunState.FAILED_EXTRACT,
                        RunState.FAILED_STAGE_VALIDATION));
        ways.put(
                RunState.STAGE_VALIDATING,
                EnumSet.of(
                        RunState.STAGING_VALIDATED,
                        RunState.EXTRACTED_VALIDATED,
                        RunState.FAILED_STAGE_VALIDATION));
        ways.put(
                RunState.STAGING_VALIDATED,
                EnumSet.of(RunState.PUBLISHING, RunState.FAILED_PUBLISH));
        // Before publishing a run can also run out of time or be cancelled.
        ways.values().forEach(to -> to.addAll(EnumSet.of(RunState.TIMED_OUT, RunState.CANCELLED)));
        Set<RunState> settled =
                EnumSet.of(RunState.PUBLISHED, RunState.STAGING_VALIDATED, RunState.FAILED_PUBLISH);
        ways.put(RunState.PUBLISH_UNKNOWN, settled);
        Set<RunState> published = EnumSet.copyOf(settled);
        published.add(RunState.PUBLISH_UNKNOWN);
        ways.put(RunState.PUBLISHING, published);
        ways.put(
                RunState.PUBLISHED,
                EnumSet.of(RunState.SUCCESS, RunState.FAILED_TARGET_VALIDATION));
        return ways;
    }
}
