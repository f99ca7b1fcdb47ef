/**
 * Runs of outside flows: a flow of somebody else reads, writes, validates and publishes, and asks
 * the ledger before each step. The commands may arrive more than once; what they change, changes
 * once. Less is proven than of our own runs: paths are not fenced and figures are the flow's.
 */
@NullMarked
package io.weir.ledger.outside;

import org.jspecify.annotations.NullMarked;
