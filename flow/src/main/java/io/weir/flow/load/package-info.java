/**
 * The load flow: one table at one snapshot, read in parallel, staged, audited, published once, read
 * back.
 *
 * <p>Failures. A worker that fails fails its partition, and with it the run; the other workers of
 * this process are stopped and nothing is staged. Files of a run that never came to staging are
 * deleted at once: no snapshot names them. From staging on files stay, because only the ledger and
 * the table together know whether they are needed. A publish reply that is lost is never repeated:
 * the resolver fences the target, reads it and concludes.
 */
@NullMarked
package io.weir.flow.load;

import org.jspecify.annotations.NullMarked;
