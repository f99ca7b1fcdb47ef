package io.weir.testkit.simulation;

import io.weir.core.publish.PublishMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.run.RunRow;
import io.weir.testkit.simulation.SourceModel.Row;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What readers see is what was proven, whole, once and in order. */
final class LakeInvariants {
    private static final Set<RunState> VISIBLE =
            EnumSet.of(RunState.PUBLISHED, RunState.SUCCESS, RunState.FAILED_TARGET_VALIDATION);
    private static final Set<RunState> UNDECIDED =
            EnumSet.of(RunState.PUBLISHING, RunState.PUBLISH_UNKNOWN);
    private static final Comparator<Row> ORDER =
            Comparator.comparingLong(Row::id).thenComparingLong(Row::value);

    private final World world;
    private final Map<String, List<Row>> expected = new LinkedHashMap<>();
    private final Set<RunId> published = new LinkedHashSet<>();

    LakeInvariants(World world) {
        this.world = world;
    }

    /** How many runs readers have seen. */
    long published() {
        return published.size();
    }

    void check(String table, LakeState before, LakeState after) {
        if (before.main() == after.main()) {
            return;
        }
        List<LakeSnapshot> fresh = new ArrayList<>();
        for (LakeSnapshot snapshot : after.ancestry(after.main())) {
            if (snapshot.id() == before.main()) {
                break;
            }
            fresh.add(0, snapshot);
        }
        boolean forward = after.ancestry(after.main()).stream()
                .anyMatch(snapshot -> snapshot.id() == before.main());
        Violation.check("I15", forward, "Main forgot what was published:", table);
        for (LakeSnapshot snapshot : fresh) {
            RunId run = snapshot.run();
            if (run != null) {
                Violation.check("I13", published.add(run), "Published twice:", table, run);
                expect(table, run);
            }
        }
        order(table, after);
        content(table, after);
    }

    /** From old to new the epochs of what is published grow, and no run lies over a newer one. */
    private void order(String table, LakeState state) {
        long newer = Long.MAX_VALUE;
        List<Run> above = new ArrayList<>();
        for (LakeSnapshot snapshot : state.ancestry(state.main())) {
            if (snapshot.run() != null) {
                Violation.check(
                        "I15",
                        snapshot.epoch() < newer,
                        "An older attempt lies over a newer one:",
                        table,
                        snapshot.epoch(),
                        newer);
                newer = snapshot.epoch();
                Run run = world.tables.run(snapshot.run()).map(RunRow::run).orElseThrow();
                for (Run later : above) {
                    Violation.check(
                            "I15",
                            !later.createdAt().isBefore(run.createdAt())
                                    || (later.publishMode() == PublishMode.APPEND
                                            && run.publishMode() == PublishMode.APPEND),
                            "An older run lies over a newer one:",
                            table,
                            later.id(),
                            run.id());
                }
                above.add(run);
            }
        }
    }

    private void expect(String table, RunId id) {
        Run run = world.tables.run(id).map(RunRow::run).orElseThrow();
        List<Row> rows = new ArrayList<>();
        if (run.publishMode() == PublishMode.APPEND) {
            rows.addAll(expected.getOrDefault(table, List.of()));
        }
        rows.addAll(world.journal.sourceRows(run));
        rows.sort(ORDER);
        expected.put(table, rows);
    }

    private void content(String table, LakeState state) {
        List<Row> rows = new ArrayList<>();
        for (String path : state.mainSnapshot().files()) {
            List<Row> content = world.files.read(path).orElse(null);
            Violation.check("I28", content != null, "A file that readers need is gone:", path);
            if (content != null) {
                rows.addAll(content);
            }
        }
        rows.sort(ORDER);
        Violation.check(
                "TARGET",
                rows.equals(expected.getOrDefault(table, List.of())),
                "Readers see other rows than the source held:",
                table,
                rows.size());
    }

    /** Ledger and lake never contradict each other about a run. */
    void agrees(RunId id) {
        RunRow row = world.tables.run(id).orElse(null);
        if (row == null) {
            return;
        }
        Run run = row.run();
        boolean seen = published.contains(id);
        if (VISIBLE.contains(run.state())) {
            Violation.check("I17", seen, "Said to be published, but is not:", id, run.state());
        } else if (!UNDECIDED.contains(run.state())) {
            Violation.check("I13", !seen, "Is published, but said not to be:", id, run.state());
        }
    }

    /** Retention is about to remove a file of a run. */
    void deleted(RunId run, String path) {
        boolean active = world.tables
                .run(run)
                .filter(row -> row.run().state().isActive())
                .isPresent();
        Violation.check("I28", !active, "A file of an active run is deleted:", path);
        for (LakeState state : world.lake.all().values()) {
            for (LakeSnapshot snapshot : state.ancestry(state.main())) {
                Violation.check(
                        "I28",
                        !snapshot.files().contains(path),
                        "A file that readers need is deleted:",
                        path);
            }
        }
    }

    void ended() {
        world.lake.all().forEach(this::content);
    }
}
