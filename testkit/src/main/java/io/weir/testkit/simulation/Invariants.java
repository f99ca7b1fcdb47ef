package io.weir.testkit.simulation;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.SweepReport;
import io.weir.core.run.RunId;
import io.weir.ledger.run.RunRow;

import java.util.Set;

/** Checks everything that a transaction or a commit may have broken, right after it. */
final class Invariants {
    private final World world;
    private final RunInvariants runs;
    private final EventInvariants events;
    private final LakeInvariants lake;
    private long checks;

    Invariants(World world) {
        this.world = world;
        this.runs = new RunInvariants(world);
        this.events = new EventInvariants(world);
        this.lake = new LakeInvariants(world);
    }

    /** A transaction was committed. */
    void committed(Set<RunId> touched) {
        for (RunId id : touched) {
            if (world.tables.run(id).isPresent()) {
                checks++;
                events.check(id);
                runs.check(id);
                lake.agrees(id);
                world.journal.check(id);
            }
        }
    }

    /** Main or anything else of a table changed. */
    void committed(String table, LakeState before, LakeState after) {
        checks++;
        lake.check(table, before, after);
        for (RunRow row : world.tables.allRuns()) {
            lake.agrees(row.run().id());
        }
    }

    /** A command was refused: with a code of the contract, never with a fault of ours. */
    void refused(String what, WeirException refusal) {
        boolean fault = refusal.code() == ErrorCode.LEDGER_INVARIANT
                || refusal.code() == ErrorCode.INTERNAL;
        Violation.check("FAULT", !fault, "A command answers with a fault:", what, refusal.text());
    }

    void swept(SweepReport report) {
        for (SweepReport.Action action : report.actions()) {
            Violation.check(
                    "FAULT",
                    action.error().isEmpty(),
                    "The sweeper cannot look after a run:",
                    action.runId(),
                    action.error());
        }
    }

    void deleted(RunId run, String path) {
        lake.deleted(run, path);
    }

    /** Once nothing moves any more. */
    void ended() {
        for (RunRow row : world.tables.allRuns()) {
            events.checkWhole(row.run().id());
            runs.check(row.run().id());
            world.journal.check(row.run().id());
        }
        lake.ended();
    }

    long count() {
        return checks;
    }

    long published() {
        return lake.published();
    }
}
