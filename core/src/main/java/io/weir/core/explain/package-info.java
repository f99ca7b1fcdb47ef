/**
 * Why a run is in its state, what happens next and when, what a person can do: a pure function of
 * what the ledger holds. Commands, console and documents show the same findings.
 *
 * <p>A finding is true of the ledger at the time of the ledger; what the ledger does not hold is
 * not said. Rules that operators know from elsewhere are left out for this reason:
 *
 * <ul>
 *   <li>a limit of a source or target: there is none yet
 *   <li>schedules and freshness: runs are started by a person or by another program
 *   <li>what a session of the source waits for: the ledger knows no sessions; {@link
 *       io.weir.core.explain.FindingCode#NO_ROW_YET} says where to look
 *   <li>the time of the last row: a sign of life carries counts; only that there is no row at all
 *       can be seen
 *   <li>a gap between chunks: chunks of a partition count from its last one on, not before
 *   <li>a chunk that was reported twice with other content: the report is refused and its worker
 *       fails the partition; the ledger keeps the failure
 *   <li>a ledger that cannot be written or moved to another server: whoever asks has the error
 *   <li>a target that cannot be fenced: every target can
 *   <li>a new run that an active one refuses: the refusal names it, and there is no run to explain
 * </ul>
 */
@NullMarked
package io.weir.core.explain;

import org.jspecify.annotations.NullMarked;
