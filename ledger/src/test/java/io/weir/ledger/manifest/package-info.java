/** Every invariant of a manifest, violated once. */
@NullMarked
package io.weir.ledger.manifest;

import org.jspecify.annotations.NullMarked;
