/**
 * Change streams of databases: whole committed transactions in the order of their commits, with
 * rows as typed values. Knows no ledger and no lake; nothing of the library that reads the log
 * shows outside.
 */
@NullMarked
package io.weir.capture;

import org.jspecify.annotations.NullMarked;
