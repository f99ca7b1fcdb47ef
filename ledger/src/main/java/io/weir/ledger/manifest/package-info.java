/** Manifests: the invariants that a split plan must hold, and how two manifests are compared. */
@NullMarked
package io.weir.ledger.manifest;

import org.jspecify.annotations.NullMarked;
