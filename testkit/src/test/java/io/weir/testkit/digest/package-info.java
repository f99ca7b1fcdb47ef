/** Proves the vectors: against a real server, and the canonical writer against them. */
@NullMarked
package io.weir.testkit.digest;

import org.jspecify.annotations.NullMarked;
