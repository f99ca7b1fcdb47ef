package io.weir.ledger.partition;

import io.weir.core.error.ErrorCode;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.ledger.chunk.ChunkSet;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.Decision.AlreadyDone;
import io.weir.ledger.decision.Decision.Move;
import io.weir.ledger.decision.Decision.Refuse;
import io.weir.ledger.decision.Decision.Renew;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Which command moves a partition from which state to which. Pure: no row is read, no clock. */
public final class PartitionMachine {
    private PartitionMachine() {}

    /**
     * Decides one command.
     *
     * @param now the database's time, read while the row was locked
     */
    public static Decision<Partition> decide(
            Partition partition, PartitionCommand command, Instant now) {
        return command.accept(new Rules(partition, now));
    }

    /** The row with another end of its lease, for who counts it when the row is held. */
    public static Partition leased(Partition partition, Instant until) {
        return new PartitionEdit(partition).lease(until).renewed();
    }

    /** The row of a claim that begins when the row is held. */
    public static Partition begun(Partition claimed, Instant at, Instant until) {
        return new PartitionEdit(claimed).started(at).lease(until).renewed();
    }

    private static final class Rules implements PartitionCommand.Visitor<Decision<Partition>> {
        private final Partition partition;
        private final Instant now;

        Rules(Partition partition, Instant now) {
            this.partition = partition;
            this.now = now;
        }

        @Override
        public Decision<Partition> claim(PartitionCommand.Claim command) {
            boolean running = partition.state() == PartitionState.RUNNING;
            if (running && command.token().equals(partition.token())) {
                return new Renew<>(edit().lease(now.plus(command.lease())).renewed());
            }
            if (!partition.state().isClaimable()) {
                return mismatch("claim", "it cannot be claimed now");
            }
            return new Move<>(
                    edit().claimed(
                                    command.token(),
                                    command.worker(),
                                    now,
                                    now.plus(command.lease()))
                            .moved(),
                    "PARTITION_CLAIMED");
        }

        @Override
        public Decision<Partition> heartbeat(PartitionCommand.Heartbeat command) {
            if (!isOwner(command.token(), command.epoch())) {
                return lostClaim("prolong the claim of", command.epoch());
            }
            if (partition.state() == PartitionState.RUNNING) {
                return new Renew<>(edit().lease(now.plus(command.lease()))
                        .progress(command.progress())
                        .renewed());
            }
            if (partition.state() == PartitionState.SUCCESS) {
                return new AlreadyDone<>(partition);
            }
            return mismatch("prolong the claim of", "it ended");
        }

        @Override
        public Decision<Partition> report(PartitionCommand.Report command) {
            if (!isOwner(command.token(), command.epoch())) {
                return lostClaim("report chunks of", command.epoch());
            }
            ChunkSet set = command.set();
            return switch (partition.state()) {
                case RUNNING -> reportRunning(command);
                case SUCCESS ->
                    set.fresh().isEmpty() && set.conflict().isEmpty()
                            ? new AlreadyDone<>(partition)
                            : new Refuse<>(
                                    ErrorCode.CHUNK_CONFLICT,
                                    "Cannot report chunks of " + name() + ": "
                                            + set.conflict().orElse("it is complete without them"));
                // The run ended first: what is reported now counts nowhere.
                case FAILED, TIMED_OUT -> new AlreadyDone<>(partition);
                case PENDING, RETRY -> mismatch("report chunks of", "nobody holds a claim");
            };
        }

        private Decision<Partition> reportRunning(PartitionCommand.Report command) {
            ChunkSet set = command.set();
            Optional<String> conflict = set.conflict();
            if (conflict.isPresent()) {
                return new Refuse<>(
                        ErrorCode.CHUNK_CONFLICT,
                        "Cannot report chunks of " + name() + ": " + conflict.get());
            }
            if (set.fresh().isEmpty()) {
                return new Renew<>(edit().lease(now.plus(command.lease())).renewed());
            }
            PartitionEdit edit = edit().counted(set.count(), set.bytes(), set.balance());
            if (!set.isComplete()) {
                return new Move<>(edit.lease(now.plus(command.lease())).moved(), "CHUNKS_REPORTED");
            }
            Long expected = partition.expectedRows();
            if (expected != null && expected != set.balance().rows()) {
                Failure failure = new Failure(
                        "EXTRACT",
                        "ROW_COUNT_MISMATCH",
                        "Cannot accept " + name()
                                + ": other rows arrived than the split counted (expected="
                                + expected + ", found=" + set.balance().rows() + ")");
                return new Move<>(
                        edit.ended(PartitionState.FAILED, now).failure(failure).moved(),
                        "PARTITION_FAILED");
            }
            return new Move<>(
                    edit.ended(PartitionState.SUCCESS, now).moved(), "PARTITION_SUCCEEDED");
        }

        @Override
        public Decision<Partition> fail(PartitionCommand.Fail command) {
            if (!isOwner(command.token(), command.epoch())) {
                return lostClaim("fail", command.epoch());
            }
            return switch (partition.state()) {
                case RUNNING ->
                    new Move<>(
                            edit().ended(PartitionState.FAILED, now)
                                    .failure(command.failure())
                                    .moved(),
                            "PARTITION_FAILED");
                case FAILED, TIMED_OUT -> new AlreadyDone<>(partition);
                case PENDING, RETRY, SUCCESS -> mismatch("fail", "it is not being read");
            };
        }

        @Override
        public Decision<Partition> lose(PartitionCommand.Lose command) {
            Instant leaseUntil = partition.leaseUntil();
            if (leaseUntil == null || now.isBefore(leaseUntil)) {
                return mismatch("give up the claim of", "its lease is not over");
            }
            if (partition.epoch() < command.claimsMax()) {
                return new Move<>(edit().givenBack().moved(), "PARTITION_REISSUED");
            }
            Failure failure = new Failure(
                    "EXTRACT",
                    "LEASE_LOST",
                    "Cannot extract " + name() + ": every claim was lost (claims="
                            + partition.epoch() + ", last worker=" + partition.worker()
                            + ", lease until=" + leaseUntil + ")");
            return new Move<>(
                    edit().ended(PartitionState.FAILED, now).failure(failure).moved(),
                    "PARTITION_FAILED");
        }

        @Override
        public Decision<Partition> close(PartitionCommand.Close command) {
            if (partition.state().isTerminal()) {
                return new AlreadyDone<>(partition);
            }
            return new Move<>(
                    edit().ended(PartitionState.TIMED_OUT, now).moved(), "PARTITION_TIMED_OUT");
        }

        private PartitionEdit edit() {
            return new PartitionEdit(partition);
        }

        private boolean isOwner(UUID token, long epoch) {
            return epoch == partition.epoch() && token.equals(partition.token());
        }

        private Decision<Partition> lostClaim(String action, long epoch) {
            return new Refuse<>(
                    ErrorCode.CLAIM_MISMATCH,
                    "Cannot " + action + " " + name() + ": another claim holds it (epoch=" + epoch
                            + ", current=" + partition.epoch() + ")");
        }

        private Decision<Partition> mismatch(String action, String reason) {
            return new Refuse<>(
                    ErrorCode.CLAIM_MISMATCH,
                    "Cannot " + action + " " + name() + ": " + reason + " (state="
                            + partition.state() + ")");
        }

        private String name() {
            return "partition " + partition.id() + " of run " + partition.runId();
        }
    }
}
