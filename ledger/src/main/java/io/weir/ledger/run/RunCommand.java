package io.weir.ledger.run;

import io.weir.core.publish.PublishOutcome;
import io.weir.core.row.Balance;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Failure;
import io.weir.core.run.Loss;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Everything that anybody can ask of a run. */
public sealed interface RunCommand {
    /**
     * Whoever has the run is alive.
     *
     * @param owner of the current step; null for who created the run
     */
    record Heartbeat(@Nullable String owner) implements RunCommand {
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

    /** Somebody wants to do the step that a row of the outbox asks for. */
    record StartStep(Dispatch.Kind kind, String owner) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.startStep(this);
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

    /**
     * The read-back passed.
     *
     * @param last whether every other run of the cut is confirmed
     */
    record Confirm(boolean last) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.confirm(this);
        }
    }

    /** The coordinator gives up. */
    record Fail(RunState expected, RunState failState, Failure failure) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.fail(this);
        }
    }

    /**
     * Somebody asks whether the owner of the step still lives.
     *
     * @param exhausted whether the step was begun as often as it may be
     */
    record Expire(boolean exhausted) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.expire(this);
        }
    }

    /** Somebody asks whether the run took too long. */
    record Overrun() implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.overrun(this);
        }
    }

    /** A worker is lost, and the run does not read partitions again. */
    record LosePartition(Failure failure) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.losePartition(this);
        }
    }

    /** Another run of the cut ended without success. */
    record BreakCut(Run other) implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.breakCut(this);
        }
    }

    /** What the run left behind is gone. */
    record Clean() implements RunCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.clean(this);
        }
    }

    /** One method per command, so that none is forgotten. */
    interface Visitor<R> {
        R heartbeat(Heartbeat command);

        R registerManifest(RegisterManifest command);

        R rejectManifest(RejectManifest command);

        R completePartition(CompletePartition command);

        R failExtract(FailExtract command);

        R startStep(StartStep command);

        R recordStaged(RecordStaged command);

        R passStaging(PassStaging command);

        R claimPublish(ClaimPublish command);

        R settlePublish(SettlePublish command);

        R confirm(Confirm command);

        R fail(Fail command);

        R expire(Expire command);

        R overrun(Overrun command);

        R losePartition(LosePartition command);

        R breakCut(BreakCut command);

        R clean(Clean command);
    }

    <R> R accept(Visitor<R> visitor);
}
