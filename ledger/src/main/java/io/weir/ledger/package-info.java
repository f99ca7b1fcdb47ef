/**
 * The books, and the {@code Ledger} over them. Commands know only the stores of one transaction;
 * that these are in PostgreSQL is known to {@code ledger.database} alone.
 *
 * <p>Every call is one transaction, READ COMMITTED: lock rows, read the clock of the books, ask a
 * pure machine, apply its decision by one guarded update, write the event. Time is the books' and
 * is read after the lock, so a wait for the lock cannot make a lease look alive.
 *
 * <p>Lock order: run, partition, chunk, dispatch, target, attempt. A transaction that holds the
 * lock of a later one never waits for an earlier one. Claims, heartbeats and reports lock only
 * their partition. Whether a report completes its partition is decided under that lock before
 * anything is written; if it does (or a claim finds that the partition was lost too often), the
 * transaction ends without a change and the same call runs again, run locked first. Between the
 * two anything may happen; the second one decides from the start, so only its own answer counts.
 *
 * <p>Claims and reports of several threads that meet share a statement, if they are plain: see
 * {@code Bundles}. It decides on rows seen without a lock, some of them remembered by this process,
 * and writes only if they have not moved since; the one statement waits for nobody and is its own
 * transaction. Whatever it leaves out is carried out as above.
 *
 * <p>Ending a run closes its open partitions and staged attempts in the same transaction. So an
 * open partition proves that its run is EXTRACTING, without a look at the run.
 *
 * <p>Failure: a deadlock or serialization failure re-runs the transaction, three times in all. A
 * lost reply is answered by asking again: every call recognises what it did before, by
 * idempotency key, claim token, chunk index or attempt token.
 */
@NullMarked
package io.weir.ledger;

import org.jspecify.annotations.NullMarked;
