package io.weir.ledger.run;

import io.weir.core.error.ErrorCode;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.row.Balance;
import io.weir.core.run.Failure;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.Decision.AlreadyDone;
import io.weir.ledger.decision.Decision.Move;
import io.weir.ledger.decision.Decision.Refuse;
import io.weir.ledger.decision.Decision.Renew;
import io.weir.ledger.sql.LossJson;

import java.time.Instant;
import java.util.Set;

/** Which command moves a run from which state to which. Pure: no row is read, no clock. */
public final class RunMachine {
    private RunMachine() {}

    /**
     * Decides one command.
     *
     * @param now the database's time, read while the row was locked
     */
    public static Decision<RunRow> decide(RunRow row, RunCommand command, Instant now) {
        return command.accept(new Rules(row, now));
    }

    private static final class Rules implements RunCommand.Visitor<Decision<RunRow>> {
        private final RunRow row;
        private final Run run;
        private final Instant now;

        Rules(RunRow row, Instant now) {
            this.row = row;
            this.run = row.run();
            this.now = now;
        }

        @Override
        public Decision<RunRow> heartbeat(RunCommand.Heartbeat command) {
            if (run.state().isTerminal() || !run.isOwnedBy(command.owner())) {
                return new AlreadyDone<>(row);
            }
            return new Renew<>(RunEdit.renewed(row, now.plus(row.lease())));
        }

        @Override
        public Decision<RunRow> registerManifest(RunCommand.RegisterManifest command) {
            if (run.state() == RunState.CREATED) {
                return move(
                        edit().state(RunState.EXTRACTING).manifest(command.terms()),
                        "MANIFEST_REGISTERED");
            }
            if (command.terms().digest().equals(row.manifestDigest())) {
                return new AlreadyDone<>(row);
            }
            return otherManifest();
        }

        @Override
        public Decision<RunRow> rejectManifest(RunCommand.RejectManifest command) {
            if (run.state() == RunState.CREATED) {
                return move(
                        end(RunState.FAILED_MANIFEST)
                                .manifestDigest(command.digest())
                                .failure(command.failure()),
                        "MANIFEST_REJECTED");
            }
            if (command.digest().equals(row.manifestDigest())) {
                return new AlreadyDone<>(row);
            }
            return otherManifest();
        }

        @Override
        public Decision<RunRow> completePartition(RunCommand.CompletePartition command) {
            if (run.state() != RunState.EXTRACTING) {
                return mismatch("complete a partition of run", RunState.EXTRACTING);
            }
            RunEdit edit = edit().onePartitionMore(
                            command.balance(), LossJson.sum(run.losses(), command.losses()));
            if (run.succeededPartitions() + 1 < run.partitionCount()) {
                return move(edit, "PARTITION_COUNTED");
            }
            Balance extracted = run.extracted().plus(command.balance());
            Long expected = run.sourceCount();
            if (expected == null || extracted.rows() != expected) {
                Failure failure = new Failure(
                        "EXTRACT",
                        "ROW_COUNT_MISMATCH",
                        "Cannot accept run " + run.id()
                                + ": its partitions do not add up to the source"
                                + " (expected=" + expected + ", found="
                                + extracted.rows() + ")");
                return move(
                        edit.state(RunState.FAILED_EXTRACT).endedAt(now).failure(failure),
                        "RUN_FAILED");
            }
            return move(edit.state(RunState.EXTRACTED_VALIDATED).extractedAt(now), "RUN_EXTRACTED");
        }

        @Override
        public Decision<RunRow> failExtract(RunCommand.FailExtract command) {
            if (run.state() != RunState.EXTRACTING) {
                return mismatch("fail a partition of run", RunState.EXTRACTING);
            }
            boolean expired =
                    command.failure().code().equals(ErrorCode.SOURCE_SNAPSHOT_EXPIRED.name());
            return move(
                    end(expired ? RunState.FAILED_SNAPSHOT_EXPIRED : RunState.FAILED_EXTRACT)
                            .failure(command.failure()),
                    "RUN_FAILED");
        }

        @Override
        public Decision<RunRow> startStep(RunCommand.StartStep command) {
            RunState working = StepRules.working(command.kind());
            if (run.state() == working && command.owner().equals(run.owner())) {
                return new AlreadyDone<>(row);
            }
            if (run.state() != StepRules.waiting(command.kind()) || run.owner() != null) {
                return mismatch(
                        "start " + command.kind() + " of run", StepRules.waiting(command.kind()));
            }
            return move(
                    edit().state(working).ownedBy(command.owner(), now.plus(row.lease())),
                    command.kind() + "_STARTED");
        }

        @Override
        public Decision<RunRow> recordStaged(RunCommand.RecordStaged command) {
            if (run.state() != RunState.STAGE_VALIDATING
                    && run.state() != RunState.STAGING_VALIDATED
                    && run.state() != RunState.PUBLISHING) {
                return mismatch("record what is staged for run", RunState.STAGE_VALIDATING);
            }
            Long staged = run.stagedSnapshotId();
            if (staged != null && staged == command.snapshotId()) {
                return new AlreadyDone<>(row);
            }
            return move(edit().stagedSnapshot(command.snapshotId()), "SNAPSHOT_STAGED");
        }

        @Override
        public Decision<RunRow> passStaging(RunCommand.PassStaging command) {
            return switch (run.state()) {
                case STAGE_VALIDATING ->
                    move(
                            edit().state(RunState.STAGING_VALIDATED).ownedByNobody(),
                            "STAGE_VALIDATED");
                case STAGING_VALIDATED, PUBLISHING, PUBLISH_UNKNOWN, PUBLISHED, SUCCESS ->
                    new AlreadyDone<>(row);
                default -> mismatch("validate the staged files of run", RunState.STAGE_VALIDATING);
            };
        }

        @Override
        public Decision<RunRow> claimPublish(RunCommand.ClaimPublish command) {
            if (run.state() == RunState.STAGING_VALIDATED && run.owner() == null) {
                // Its step was lost, or the gate of its cut is not open yet.
                return new Refuse<>(
                        ErrorCode.RUN_STATE_MISMATCH,
                        "Cannot publish run " + run.id() + ": nobody was called to (state="
                                + run.state() + ", owner=null)");
            }
            if (run.state() == RunState.STAGING_VALIDATED) {
                return move(edit().state(RunState.PUBLISHING), "PUBLISH_STARTED");
            }
            if (run.state() == RunState.PUBLISHING) {
                return new AlreadyDone<>(row);
            }
            return mismatch("publish run", RunState.STAGING_VALIDATED);
        }

        @Override
        public Decision<RunRow> settlePublish(RunCommand.SettlePublish command) {
            boolean unknown = run.state() == RunState.PUBLISH_UNKNOWN;
            if (unknown && command.outcome() == PublishOutcome.UNKNOWN) {
                return new AlreadyDone<>(row);
            }
            if (!unknown && run.state() != RunState.PUBLISHING) {
                return mismatch("settle the publishing of run", RunState.PUBLISHING);
            }
            return switch (command.outcome()) {
                case PUBLISHED -> published(command);
                case FAILED ->
                    move(
                            end(RunState.FAILED_PUBLISH)
                                    .failure(failure("TABLE_COMMIT_FAILED", command.evidence())),
                            "PUBLISH_FAILED");
                case ABSENT ->
                    move(
                            edit().state(RunState.STAGING_VALIDATED)
                                    .ownedByNobody()
                                    .failure(null),
                            "PUBLISH_ABSENT");
                case UNKNOWN ->
                    move(
                            edit().state(RunState.PUBLISH_UNKNOWN)
                                    .ownedByNobody()
                                    .failure(failure("TABLE_COMMIT_UNKNOWN", command.evidence())),
                            "PUBLISH_UNKNOWN");
            };
        }

        @Override
        public Decision<RunRow> confirm(RunCommand.Confirm command) {
            if (run.state() == RunState.SUCCESS) {
                return new AlreadyDone<>(row);
            }
            if (run.state() != RunState.PUBLISHED) {
                return mismatch("finish run", RunState.PUBLISHED);
            }
            if (command.last()) {
                RunEdit edit = end(RunState.SUCCESS);
                return move(
                        run.confirmedAt() == null ? edit.confirmedAt(now) : edit, "RUN_SUCCEEDED");
            }
            return run.confirmedAt() == null
                    ? move(edit().confirmedAt(now).ownedByNobody(), "RUN_CONFIRMED")
                    : new AlreadyDone<>(row);
        }

        @Override
        public Decision<RunRow> fail(RunCommand.Fail command) {
            if (run.state() == command.failState()) {
                return new AlreadyDone<>(row);
            }
            if (run.state() != command.expected()) {
                return mismatch("end run", command.expected());
            }
            Set<RunState> possible = RunEnds.possible(run.state());
            if (!possible.contains(command.failState())) {
                return new Refuse<>(
                        ErrorCode.RUN_STATE_MISMATCH,
                        "Cannot end run " + run.id() + " as " + command.failState()
                                + ": that state cannot follow (state=" + run.state()
                                + ", possible=" + possible + ")");
            }
            return move(
                    end(command.failState()).failure(command.failure()),
                    command.failState() == RunState.CANCELLED ? "RUN_CANCELLED" : "RUN_FAILED");
        }

        @Override
        public Decision<RunRow> expire(RunCommand.Expire command) {
            boolean working = run.owner() != null
                    || run.state() == RunState.CREATED
                    || run.state() == RunState.EXTRACTING;
            if (run.state().isTerminal() || !working) {
                // Nobody owns a step: the outbox looks for somebody.
                return new AlreadyDone<>(row);
            }
            if (now.isBefore(run.leaseUntil())) {
                return new Refuse<>(
                        ErrorCode.RUN_STATE_MISMATCH,
                        "Cannot close run " + run.id() + ": its coordinator is alive (lease until="
                                + run.leaseUntil() + ")");
            }
            String sign =
                    "its coordinator gave no sign since its lease ended at " + run.leaseUntil();
            return switch (run.state()) {
                case CREATED, EXTRACTING -> timedOut("LEASE_LOST", sign);
                case PUBLISHING ->
                    move(
                            edit().state(RunState.PUBLISH_UNKNOWN)
                                    .ownedByNobody()
                                    .failure(failure("TABLE_COMMIT_UNKNOWN", sign)),
                            "PUBLISH_UNKNOWN");
                case STAGE_VALIDATING ->
                    command.exhausted()
                            ? exhausted(RunState.FAILED_STAGE_VALIDATION, sign)
                            : stepLost(RunState.EXTRACTED_VALIDATED);
                case STAGING_VALIDATED ->
                    command.exhausted()
                            ? exhausted(RunState.FAILED_PUBLISH, sign)
                            : stepLost(RunState.STAGING_VALIDATED);
                // Readers may see the rows: however often it takes, somebody has to look.
                default -> stepLost(run.state());
            };
        }

        private Decision<RunRow> stepLost(RunState state) {
            return move(edit().state(state).ownedByNobody(), "STEP_LOST");
        }

        private Decision<RunRow> exhausted(RunState state, String sign) {
            Failure failure = new Failure(run.state().name(), "STEPS_EXHAUSTED", sign);
            return move(end(state).failure(failure), "RUN_FAILED");
        }

        private Decision<RunRow> timedOut(String code, String message) {
            Failure failure = new Failure(run.state().name(), code, message);
            return move(end(RunState.TIMED_OUT).failure(failure), "RUN_TIMED_OUT");
        }

        @Override
        public Decision<RunRow> overrun(RunCommand.Overrun command) {
            if (!run.state().isBeforePublishing()) {
                return new AlreadyDone<>(row);
            }
            if (now.isBefore(run.deadline())) {
                return new Refuse<>(
                        ErrorCode.RUN_STATE_MISMATCH,
                        "Cannot close run " + run.id() + ": it has time left (deadline="
                                + run.deadline() + ")");
            }
            return timedOut("RUN_TIMEOUT", "it was not published by " + run.deadline());
        }

        @Override
        public Decision<RunRow> losePartition(RunCommand.LosePartition command) {
            if (run.state() != RunState.EXTRACTING) {
                return mismatch("lose a partition of run", RunState.EXTRACTING);
            }
            return move(end(RunState.TIMED_OUT).failure(command.failure()), "RUN_TIMED_OUT");
        }

        @Override
        public Decision<RunRow> breakCut(RunCommand.BreakCut command) {
            Run other = command.other();
            String reason = "run " + other.id() + " of the same cut ended as " + other.state()
                    + " (target=" + other.target() + ")";
            if (run.state().isBeforePublishing()) {
                Failure failure = new Failure(run.state().name(), "CUT_BROKEN", reason);
                return move(end(RunEnds.broken(run.state())).failure(failure), "RUN_FAILED");
            }
            // What readers see stays; that the cut is not whole is said, not hidden.
            if (run.state() == RunState.PUBLISHED && run.confirmedAt() != null) {
                Failure failure = new Failure(run.state().name(), "CUT_INCOMPLETE", reason);
                return move(end(RunState.FAILED_TARGET_VALIDATION).failure(failure), "RUN_FAILED");
            }
            return new AlreadyDone<>(row);
        }

        @Override
        public Decision<RunRow> clean(RunCommand.Clean command) {
            if (run.state().isActive()) {
                return new Refuse<>(
                        ErrorCode.RUN_STATE_MISMATCH,
                        "Cannot clean up after run " + run.id() + ": it has not ended (state="
                                + run.state() + ")");
            }
            return run.cleanedAt() == null
                    ? move(edit().cleanedAt(now), "RUN_CLEANED")
                    : new AlreadyDone<>(row);
        }

        private Decision<RunRow> published(RunCommand.SettlePublish command) {
            Long snapshotId = command.snapshotId();
            if (snapshotId == null) {
                return new Refuse<>(
                        ErrorCode.LEDGER_INVARIANT,
                        "Cannot record run " + run.id()
                                + " as published: the snapshot is not named (evidence="
                                + command.evidence() + ")");
            }
            return move(
                    edit().state(RunState.PUBLISHED)
                            .published(snapshotId, now)
                            .ownedByNobody()
                            .failure(null),
                    "PUBLISHED");
        }

        private RunEdit edit() {
            return new RunEdit(row);
        }

        private RunEdit end(RunState state) {
            return edit().state(state).ownedByNobody().endedAt(now);
        }

        private static Failure failure(String code, String message) {
            return new Failure("PUBLISH", code, message);
        }

        private static Decision<RunRow> move(RunEdit edit, String event) {
            return new Move<>(edit.build(), event);
        }

        private Decision<RunRow> mismatch(String action, RunState needed) {
            return new Refuse<>(
                    ErrorCode.RUN_STATE_MISMATCH,
                    "Cannot " + action + " " + run.id() + ": it is in another state (state="
                            + run.state() + ", needed=" + needed + ")");
        }

        private Decision<RunRow> otherManifest() {
            return new Refuse<>(
                    ErrorCode.RUN_STATE_MISMATCH,
                    "Cannot register the manifest of run " + run.id()
                            + ": the run holds another one or ended (state=" + run.state() + ")");
        }
    }
}
