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
import java.util.EnumSet;
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

    /** The states in which a run can end after its coordinator gave up in this one. */
    public static Set<RunState> failStates(RunState state) {
        return switch (state) {
            case CREATED -> EnumSet.of(RunState.FAILED_MANIFEST, RunState.CANCELLED);
            case EXTRACTING ->
                EnumSet.of(
                        RunState.FAILED_EXTRACT,
                        RunState.FAILED_SNAPSHOT_EXPIRED,
                        RunState.CANCELLED);
            case EXTRACTED_VALIDATED ->
                EnumSet.of(
                        RunState.FAILED_EXTRACT,
                        RunState.FAILED_STAGE_VALIDATION,
                        RunState.CANCELLED);
            case STAGE_VALIDATING ->
                EnumSet.of(RunState.FAILED_STAGE_VALIDATION, RunState.CANCELLED);
            case STAGING_VALIDATED -> EnumSet.of(RunState.FAILED_PUBLISH, RunState.CANCELLED);
            // What readers already see cannot be cancelled.
            case PUBLISHED -> EnumSet.of(RunState.FAILED_TARGET_VALIDATION);
            // Only evidence ends publishing, and it comes with the publish result.
            case PUBLISHING, PUBLISH_UNKNOWN -> EnumSet.noneOf(RunState.class);
            case SUCCESS,
                    FAILED_MANIFEST,
                    FAILED_EXTRACT,
                    FAILED_SNAPSHOT_EXPIRED,
                    FAILED_STAGE_VALIDATION,
                    FAILED_PUBLISH,
                    FAILED_TARGET_VALIDATION,
                    TIMED_OUT,
                    CANCELLED -> EnumSet.noneOf(RunState.class);
        };
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
            if (run.state().isTerminal()) {
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
        public Decision<RunRow> startValidation(RunCommand.StartValidation command) {
            if (run.state() == RunState.EXTRACTED_VALIDATED) {
                return move(
                        edit().state(RunState.STAGE_VALIDATING).auditor(command.owner()),
                        "STAGE_VALIDATION_STARTED");
            }
            if (run.state() == RunState.STAGE_VALIDATING && command.owner().equals(row.auditor())) {
                return new AlreadyDone<>(row);
            }
            return mismatch("start the audit of run", RunState.EXTRACTED_VALIDATED);
        }

        @Override
        public Decision<RunRow> recordStaged(RunCommand.RecordStaged command) {
            if (run.state() != RunState.STAGE_VALIDATING && run.state() != RunState.PUBLISHING) {
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
                    move(edit().state(RunState.STAGING_VALIDATED), "STAGE_VALIDATED");
                case STAGING_VALIDATED, PUBLISHING, PUBLISH_UNKNOWN, PUBLISHED, SUCCESS ->
                    new AlreadyDone<>(row);
                default -> mismatch("validate the staged files of run", RunState.STAGE_VALIDATING);
            };
        }

        @Override
        public Decision<RunRow> claimPublish(RunCommand.ClaimPublish command) {
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
                case UNKNOWN ->
                    move(
                            edit().state(RunState.PUBLISH_UNKNOWN)
                                    .failure(failure("TABLE_COMMIT_UNKNOWN", command.evidence())),
                            "PUBLISH_UNKNOWN");
            };
        }

        @Override
        public Decision<RunRow> succeed(RunCommand.Succeed command) {
            if (run.state() == RunState.PUBLISHED) {
                return move(end(RunState.SUCCESS), "RUN_SUCCEEDED");
            }
            if (run.state() == RunState.SUCCESS) {
                return new AlreadyDone<>(row);
            }
            return mismatch("finish run", RunState.PUBLISHED);
        }

        @Override
        public Decision<RunRow> fail(RunCommand.Fail command) {
            if (run.state() == command.failState()) {
                return new AlreadyDone<>(row);
            }
            if (run.state() != command.expected()) {
                return mismatch("end run", command.expected());
            }
            Set<RunState> possible = failStates(run.state());
            if (!possible.contains(command.failState())) {
                return new Refuse<>(
                        ErrorCode.RUN_STATE_MISMATCH,
                        "Cannot end run " + run.id() + " as " + command.failState()
                                + ": that state cannot follow (state=" + run.state()
                                + ", possible=" + possible + ")");
            }
            return move(end(command.failState()).failure(command.failure()), "RUN_FAILED");
        }

        @Override
        public Decision<RunRow> expire(RunCommand.Expire command) {
            if (run.state().isTerminal() || run.state() == RunState.PUBLISH_UNKNOWN) {
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
            if (run.state() == RunState.PUBLISHING) {
                return move(
                        edit().state(RunState.PUBLISH_UNKNOWN)
                                .failure(failure("TABLE_COMMIT_UNKNOWN", sign)),
                        "PUBLISH_UNKNOWN");
            }
            if (run.state() == RunState.PUBLISHED) {
                // Readers see the rows: only the read-back ends this, whoever does it.
                return new AlreadyDone<>(row);
            }
            return move(
                    end(RunState.TIMED_OUT)
                            .failure(new Failure(run.state().name(), "LEASE_LOST", sign)),
                    "RUN_TIMED_OUT");
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
                    edit().state(RunState.PUBLISHED).published(snapshotId, now).failure(null),
                    "PUBLISHED");
        }

        private RunEdit edit() {
            return new RunEdit(row);
        }

        private RunEdit end(RunState state) {
            return edit().state(state).endedAt(now);
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
