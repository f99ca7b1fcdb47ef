@NullMarked
package io.weir.testkit.ledger;

import org.jspecify.annotations.NullMarked;
