package io.weir.testkit.simulation;

import io.weir.core.run.Cut;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.run.RunRow;
import io.weir.testkit.ledger.MemoryTables;
import io.weir.testkit.ledger.VirtualClock;
import io.weir.testkit.simulation.SourceModel.Row;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Everything that the actors of one simulation share. */
final class World {
    private static final Instant START = Instant.parse("2026-11-29T00:00:00Z");

    final SimulationSettings settings;
    final Randomness random;
    final VirtualClock clock = new VirtualClock(START);
    final Timeline timeline = new Timeline(clock);
    final Trace trace;
    final FaultPlan faults;
    final MemoryTables tables;
    final SourceModel source;
    final FileModel files;
    final LakeModel lake;
    final Invariants invariants;
    final Journal journal;
    final List<SimProcess> processes = new ArrayList<>();
    final List<JobPlan> plans = new ArrayList<>();
    final Map<String, Steps> steps = new LinkedHashMap<>();
    final Set<String> poisonedSteps = new LinkedHashSet<>();

    /** Who asks and what, while a command is carried out. */
    @Nullable
    SimProcess caller;

    String command = "";

    /** How many calls let others go first right now. */
    int depth;

    /** Rows as they were, for seeded bugs that trust them. */
    final Map<RunId, RunRow> stale = new LinkedHashMap<>();

    final Map<RunId, List<Partition>> staleOpen = new LinkedHashMap<>();

    World(long seed, SimulationSettings settings) {
        this.settings = settings;
        this.random = new Randomness(seed);
        this.trace = new Trace(settings.wholeTrace());
        this.faults = new FaultPlan(random);
        this.tables = new MemoryTables(SeededBug.dropped(settings.bug()));
        this.source = new SourceModel(this);
        this.files = new FileModel();
        this.journal = new Journal(this);
        this.lake = new LakeModel(this);
        this.invariants = new Invariants(this);
    }

    Steps steps(SimProcess process) {
        return Optional.ofNullable(steps.get(process.name)).orElseThrow();
    }

    /** A disk changes or forgets a file of a claim before anybody measured it. */
    void damage(RunId run, String folder, boolean gone) {
        boolean early = tables.run(run)
                .filter(row -> row.run().state() == RunState.EXTRACTING)
                .isPresent();
        List<String> paths = files.under(folder);
        if (!early || paths.isEmpty()) {
            return;
        }
        String path = random.pick(paths);
        log("disk", (gone ? "loses " : "damages ") + path);
        if (gone) {
            files.delete(path);
        } else {
            List<Row> rows = new ArrayList<>(files.read(path).orElse(List.of()));
            rows.set(0, source.damaged(rows.get(0)));
            files.write(path, rows);
        }
    }

    /** Commits what a seeded bug wrote outside of any transaction. */
    void settle() {
        invariants.committed(tables.commit());
    }

    /** Whether every run of the cut of a run is there and in one of some states. */
    boolean isWholeCut(Run run, Set<RunState> states) {
        Cut cut = run.cut();
        if (cut == null) {
            return true;
        }
        List<Run> runs = new ArrayList<>();
        for (RunRow row : tables.allRuns()) {
            Cut other = row.run().cut();
            if (other != null && other.id().equals(cut.id())) {
                runs.add(row.run());
            }
        }
        return runs.size() == cut.tables()
                && runs.stream().allMatch(other -> states.contains(other.state()));
    }

    boolean has(SeededBug bug) {
        return settings.bug() == bug;
    }

    void log(String who, String what) {
        Duration since = Duration.between(START, clock.time());
        trace.add(since.toMillis() + " " + who + ": " + what);
    }

    List<SimProcess> up() {
        return processes.stream().filter(SimProcess::isUp).toList();
    }
}
