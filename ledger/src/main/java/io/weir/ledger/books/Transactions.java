package io.weir.ledger.books;

import io.weir.core.run.RunId;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.SeenPartition;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Runs work in one transaction. What the work throws undoes the transaction and is thrown on.
 *
 * <p>The work runs again, three times in all, if it lost a race: two transactions waited for each
 * other, or a constraint that {@link Constraint#isRetried} kept a row out. So it must not change
 * anything but the books. If it loses every time, the last error is thrown with its code.
 */
public interface Transactions {
    /**
     * READ COMMITTED: every statement sees what was committed before it, so what is read after a
     * row lock is the truth as long as the lock is held.
     *
     * @param action for messages, such as {@code report chunks of run …}
     * @throws io.weir.core.error.WeirException LEDGER_UNREACHABLE, LEDGER_INVARIANT, and what
     *     {@link Constraint} says
     */
    <T> T run(String action, Function<Books, T> work);

    /** All reads of the work see one state of the books. */
    <T> T read(String action, Function<Books, T> work);

    /**
     * Sees partitions without locking them, all at one moment; those that do not exist are left
     * out.
     */
    default List<SeenPartition> look(String action, Collection<PartitionKey> keys) {
        return run(action, books -> books.partitions().look(keys));
    }

    /**
     * Sees partitions of a run that can be claimed, by ordinal, without locking them.
     *
     * @param most how many at most
     */
    default List<SeenPartition> claimable(String action, RunId runId, int most) {
        return run(action, books -> books.partitions().claimable(runId, most));
    }

    /**
     * Applies reports that were decided on rows seen without a lock, each with its chunks and its
     * event, and lets each lease count from the time when the row was held. Leaves out one whose
     * row was moved meanwhile, and may leave out one whose row somebody else holds.
     *
     * <p>If it throws, all of it may have been applied or nothing: whoever gets no answer has to
     * look again. Nothing is run again.
     *
     * @param moves each of another partition that is RUNNING and stays so, all of one name; no
     *     chunk is the last
     * @return when each was applied
     */
    default Map<PartitionKey, Instant> report(
            String action, List<PartitionMove> moves, Duration lease) {
        return run(action, books -> books.report(moves, lease));
    }

    /**
     * The same with claims, which begin when the row was held.
     *
     * @param moves each of another partition that nobody had before, all of one name
     * @param next those that come next; left out while a partition of their run waits that was
     *     given back
     */
    default Map<PartitionKey, Claimed> claim(
            String action, List<PartitionMove> moves, Set<PartitionKey> next, Duration lease) {
        return run(action, books -> books.claim(moves, next, lease));
    }
}
