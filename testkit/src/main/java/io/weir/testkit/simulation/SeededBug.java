package io.weir.testkit.simulation;

import io.weir.ledger.LedgerSettings;
import io.weir.ledger.dispatch.DispatchCommand.DispatchRules;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;

/**
 * Faults put in on purpose: a harness that does not see them proves nothing. The numbers are those
 * of the list that the design asks for.
 */
public enum SeededBug {
    M1_INDEX_DROPPED("no unique index keeps a second active run of a key out"),
    M2_EPOCH_UNCHECKED("reports of any claim are accepted"),
    M3_DUPLICATES_COUNTED("a report that comes again is counted again"),
    M4_COMPLETION_UNLOCKED("completion is decided on a run that was not locked"),
    M5_DISPATCH_AFTER_COMMIT("the step is asked for after the commit"),
    M6_WORKER_CLOCK("leases are compared with the clock of the process"),
    M7_TRANSACTION_START("the time of a lease is that of the start of the transaction"),
    M8_SWEEPER_UNGUARDED("the sweeper writes what it decided on rows that it read before"),
    M9_PUBLISH_RETRIED("a commit without reply is sent again"),
    M10_NO_FENCE("the target is read without a fence"),
    M11_METRICS_MISSING("what was not measured passes"),
    M12_VERDICT_TRUSTED("every measurement passes, whatever it says"),
    M13_REPLY_BEFORE_COMMIT("the answer is given before the commit, which may fail"),
    M14_KEY_AFTERWARDS("the idempotency key is written in a second transaction"),
    M15_CANCEL_HALF("cancelling leaves the partitions to another transaction"),
    M16_EPOCH_RESET("the epoch begins again"),
    M17_PATH_WITHOUT_EPOCH("all claims of a partition write to the same files"),
    M18_UNBOUNDED("nothing is counted: every retry goes on for ever"),
    M19_EVENT_LOST("some changes are written without their event");

    private static final int FOREVER = 1_000_000;

    private final String meaning;

    SeededBug(String meaning) {
        this.meaning = meaning;
    }

    /** What is wrong, in a few words. */
    public String meaning() {
        return meaning;
    }

    /** Constraints that the books do not hold with this bug. */
    static Set<String> dropped(@Nullable SeededBug bug) {
        if (bug == M1_INDEX_DROPPED) {
            return Set.of("run_one_active_per_key");
        }
        return bug == M12_VERDICT_TRUSTED
                ? Set.of("metric_verdict_is_equality", "chunk_verified_is_equality")
                : Set.of();
    }

    static LedgerSettings settings(@Nullable SeededBug bug, LedgerSettings settings) {
        if (bug != M18_UNBOUNDED) {
            return settings;
        }
        DispatchRules rules = settings.dispatch();
        DispatchRules endless = new DispatchRules(
                FOREVER, Duration.ofSeconds(1), Duration.ofSeconds(2), rules.ackTimeout());
        return settings.withClaimsMax(FOREVER).withDispatch(settings.dispatchLease(), endless);
    }
}
