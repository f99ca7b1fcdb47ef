/**
 * The {@code weir} command: reads the command line, composes ledger, source, lake and engine, runs
 * a flow and prints. It decides nothing about runs.
 */
@NullMarked
package io.weir.app;

import org.jspecify.annotations.NullMarked;
