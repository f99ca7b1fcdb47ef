/** What has to be told of runs to those who keep lineage, and what was told. */
@NullMarked
package io.weir.ledger.lineage;

import org.jspecify.annotations.NullMarked;
