package io.weir.ledger.outside;

import io.weir.core.run.RecoveryMode;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What can be chosen about outside runs; the same in every server of a ledger.
 *
 * @param runTimeout a run ends this long after its start unless it began to publish
 * @param stale a claim without a lease of its own is lost this long after its last sign
 * @param recovery what follows then
 * @param claimsMax how often one partition may be claimed
 * @param validationStale a validation without a sign for so long is asked for again, or alerted
 * @param publishStale a publishing run becomes PUBLISH_UNKNOWN after so long
 * @param cyclesMax how often the same step is asked for
 * @param kinds the kinds of dispatch that the receiver declares
 * @param grace a process declares no claim lost for this long after its start
 * @param outbox how the outbox is delivered
 * @param retention when a run may be cleaned up after
 */
public record OutsideSettings(
        Duration runTimeout,
        Duration stale,
        RecoveryMode recovery,
        int claimsMax,
        Duration validationStale,
        Duration publishStale,
        int cyclesMax,
        Set<OutsideDispatch.Kind> kinds,
        Duration grace,
        Delivery outbox,
        Retention retention) {
    /** The kinds that every receiver understands. */
    public static final Set<OutsideDispatch.Kind> OLD_KINDS = Set.copyOf(
            EnumSet.of(OutsideDispatch.Kind.VALIDATE_RUN, OutsideDispatch.Kind.REISSUE_PARTITION));

    public static final OutsideSettings DEFAULTS = new OutsideSettings(
            Duration.ofHours(6),
            Duration.ofMinutes(90),
            RecoveryMode.FAIL,
            3,
            Duration.ofHours(2),
            Duration.ofHours(2),
            5,
            OLD_KINDS,
            Duration.ofMinutes(1),
            new Delivery(
                    20,
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(60),
                    Duration.ofMinutes(10)),
            new Retention(Duration.ofDays(3), Duration.ofDays(14), 200));

    public OutsideSettings {
        kinds = Set.copyOf(kinds);
    }

    /**
     * Of the outbox.
     *
     * @param lease how long a delivery may take before the row is delivered again
     * @param acknowledgeTimeout how long after a 202 the step has to be started
     */
    public record Delivery(
            int attemptsMax,
            Duration pauseMin,
            Duration pauseMax,
            Duration lease,
            Duration acknowledgeTimeout) {
        private static final int DOUBLINGS_MAX = 30;

        /** The pause after an attempt: it doubles up to its largest. */
        Duration pauseAfter(int attempt) {
            int doublings = Math.min(DOUBLINGS_MAX, Math.max(0, attempt - 1));
            Duration pause = pauseMin.multipliedBy(1L << doublings);
            return pause.compareTo(pauseMax) < 0 ? pause : pauseMax;
        }
    }

    /** Of what runs left behind; at most {@code most} runs are named at once. */
    public record Retention(Duration succeeded, Duration failed, int most) {}

    public OutsideSettings withRecovery(RecoveryMode mode) {
        return new OutsideSettings(
                runTimeout,
                stale,
                mode,
                claimsMax,
                validationStale,
                publishStale,
                cyclesMax,
                kinds,
                grace,
                outbox,
                retention);
    }

    public OutsideSettings withKinds(Set<OutsideDispatch.Kind> declared) {
        return new OutsideSettings(
                runTimeout,
                stale,
                recovery,
                claimsMax,
                validationStale,
                publishStale,
                cyclesMax,
                declared,
                grace,
                outbox,
                retention);
    }

    public OutsideSettings withOutbox(Delivery delivery) {
        return new OutsideSettings(
                runTimeout,
                stale,
                recovery,
                claimsMax,
                validationStale,
                publishStale,
                cyclesMax,
                kinds,
                grace,
                delivery,
                retention);
    }

    public OutsideSettings withGrace(Duration pause) {
        return new OutsideSettings(
                runTimeout,
                stale,
                recovery,
                claimsMax,
                validationStale,
                publishStale,
                cyclesMax,
                kinds,
                pause,
                outbox,
                retention);
    }
}
