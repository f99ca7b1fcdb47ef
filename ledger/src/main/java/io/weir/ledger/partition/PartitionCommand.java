package io.weir.ledger.partition;

import io.weir.core.ledger.Progress;
import io.weir.core.run.Failure;
import io.weir.ledger.chunk.ChunkSet;

import java.time.Duration;
import java.util.UUID;

/** Everything that anybody can ask of a partition. */
public sealed interface PartitionCommand {
    /** A worker wants the partition. */
    record Claim(UUID token, String worker, Duration lease) implements PartitionCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.claim(this);
        }
    }

    /** The worker is alive. */
    record Heartbeat(UUID token, long epoch, Progress progress, Duration lease)
            implements PartitionCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.heartbeat(this);
        }
    }

    /**
     * The worker made files durable.
     *
     * @param set what was reported before and now, for this epoch
     */
    record Report(UUID token, long epoch, ChunkSet set, Duration lease)
            implements PartitionCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.report(this);
        }
    }

    /** The worker gives up. */
    record Fail(UUID token, long epoch, Failure failure) implements PartitionCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.fail(this);
        }
    }

    /**
     * Somebody asks whether the worker still lives.
     *
     * @param claimsMax how often the partition may be claimed in all; 1 if it is never read again
     */
    record Lose(int claimsMax) implements PartitionCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.lose(this);
        }
    }

    /** The run ended first. */
    record Close() implements PartitionCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.close(this);
        }
    }

    /** One method per command, so that none is forgotten. */
    interface Visitor<R> {
        R claim(Claim command);

        R heartbeat(Heartbeat command);

        R report(Report command);

        R fail(Fail command);

        R lose(Lose command);

        R close(Close command);
    }

    <R> R accept(Visitor<R> visitor);
}
