/** Benchmarks. Every figure in README and docs comes from one of them, by a command. */
@NullMarked
package io.weir.bench;

import org.jspecify.annotations.NullMarked;
