/**
 * What must hold of the books whatever happened: one query for each invariant, in resources under
 * {@code db/invariants}, and the comparison of events with rows. They only look; what they find is
 * for a person.
 */
@NullMarked
package io.weir.ledger.fsck;

import org.jspecify.annotations.NullMarked;
