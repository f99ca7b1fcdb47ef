package io.weir.ledger.run;

import io.weir.core.publish.PublishOutcome;
import io.weir.core.row.Balance;
import io.weir.core.run.Failure;
import io.weir.core.run.Loss;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Everything that anybody can ask of a run. */
public sealed interface RunCommand {
    /** The coordinator is alive. */
    record Heartbeat() implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.heartbeat(this);
        }
    }

    /** The manifest holds every invariant. */
    record RegisterManifest(ManifestTerms terms) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.registerManifest(this);
        }
    }

    /** The manifest breaks an invariant. */
    record RejectManifest(String digest, Failure failure) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.rejectManifest(this);
        }
    }

    /** One more partition arrived whole. */
    record CompletePartition(Balance balance, List<Loss> losses) implements RunCommand {
        public CompletePartition {
            losses = List.copyOf(losses);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.completePartition(this);
        }
    }

    /** A partition failed, and with it the run. */
    record FailExtract(Failure failure) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.failExtract(this);
        }
    }

    /** Somebody wants to audit. */
    record StartValidation(String owner) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.startValidation(this);
        }
    }

    /** The snapshot on the branch of the current attempt. */
    record RecordStaged(long snapshotId) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.recordStaged(this);
        }
    }

    /** Every staged file is verified, every required metric passed. */
    record PassStaging() implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.passStaging(this);
        }
    }

    /** An attempt of this run became OPEN. */
    record ClaimPublish() implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.claimPublish(this);
        }
    }

    /**
     * An attempt of this run was settled.
     *
     * @param snapshotId only if PUBLISHED
     */
    record SettlePublish(PublishOutcome outcome, @Nullable Long snapshotId, String evidence)
            implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.settlePublish(this);
        }
    }

    /** The read-back passed. */
    record Succeed() implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.succeed(this);
        }
    }

    /** The coordinator gives up. */
    record Fail(RunState expected, RunState failState, Failure failure) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.fail(this);
        }
    }

    /** Somebody needs the key and asks whether the coordinator still lives. */
    record Expire() implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.expire(this);
        }
    }

    /** One method per command, so that none is forgotten. */
    interface Visitor<R> {
        R heartbeat(Heartbeat command);

        R registerManifest(RegisterManifest command);

        R rejectManifest(RejectManifest command);

        R completePartition(CompletePartition command);

        R failExtract(FailExtract command);

        R startValidation(StartValidation command);

        R recordStaged(RecordStaged command);

        R passStaging(PassStaging command);

        R claimPublish(ClaimPublish command);

        R settlePublish(SettlePublish command);

        R succeed(Succeed command);

        R fail(Fail command);

        R expire(Expire command);
    }

    <R> R accept(Visitor<R> visitor);
}
