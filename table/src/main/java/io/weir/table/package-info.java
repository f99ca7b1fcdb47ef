/**
 * Iceberg tables of the lake: the catalog, files on local disks, staging on a branch, publishing by
 * one fast-forward, fences, and the balance that every snapshot carries.
 *
 * <p>Nothing here reads or writes rows. A commit is sent once: whoever asked learns that it
 * happened, that it cannot have happened, or that only {@link
 * io.weir.table.LakeTable#read(io.weir.core.publish.PublishAttempt)} after a fence can tell.
 */
@NullMarked
package io.weir.table;

import org.jspecify.annotations.NullMarked;
