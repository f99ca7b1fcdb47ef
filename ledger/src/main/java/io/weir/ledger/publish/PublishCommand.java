package io.weir.ledger.publish;

import io.weir.core.publish.PublishOutcome;

import java.util.UUID;

/** Everything that anybody can ask of a publish attempt. */
public sealed interface PublishCommand {
    /** The files are on the branch. */
    record Stage(UUID token, long snapshotId) implements PublishCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.stage(this);
        }
    }

    /** The owner wants to commit to the target. */
    record Open(UUID token) implements PublishCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.open(this);
        }
    }

    /** The owner, or who looked at the target, tells how it ended. */
    record Settle(UUID token, PublishOutcome outcome, String evidence) implements PublishCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.settle(this);
        }
    }

    /** The owner takes a new base under the next epoch. */
    record Replace(UUID token, String evidence) implements PublishCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.replace(this);
        }
    }

    /** The run ended, or staged again. */
    record Abandon(String evidence) implements PublishCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.abandon(this);
        }
    }

    /** The coordinator gave no sign while the attempt was open. */
    record Lose(String evidence) implements PublishCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.lose(this);
        }
    }

    /** One method per command, so that none is forgotten. */
    interface Visitor<R> {
        R stage(Stage command);

        R open(Open command);

        R settle(Settle command);

        R replace(Replace command);

        R abandon(Abandon command);

        R lose(Lose command);
    }

    <R> R accept(Visitor<R> visitor);
}
