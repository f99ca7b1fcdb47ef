/**
 * PostgreSQL 12 and newer, primary or standby.
 *
 * <p><b>Snapshot.</b> A coordinator locks every table in ACCESS SHARE mode, then exports its
 * snapshot; each reader joins it and takes the same locks, all before the first row is read. A
 * TRUNCATE, DROP or rewrite therefore waits until the snapshot is closed. What LOCK TABLE does not
 * take, such as a materialized view, is locked by planning a query, and its file is compared with
 * the one that the snapshot knows. The log position is taken after the snapshot: what is in the
 * snapshot was committed before it, but not everything before it need be in the snapshot. A renamed
 * label of an enum is the one change that no lock stops.
 *
 * <p><b>Split.</b> Ranges of {@code ctid}, since version 14, of anything stored as heap. A row
 * never changes its place within a snapshot, and no statistics are needed. Partitions and
 * inheriting tables are read with their parent, as SELECT does, and each range applies to all of
 * them: ranges of block numbers are disjoint and complete in every single table, so they are in the
 * union. The number of blocks is read after the snapshot, and the last range is open. Views have no
 * place of their own and are read as one partition, as is everything on older servers, which would
 * answer each range with a scan of the whole table. Foreign tables, also below a view or as a
 * partition, are refused: they are not part of the snapshot.
 *
 * <p><b>Read.</b> {@code COPY (SELECT …) TO STDOUT (FORMAT binary)}. Each row passes the policies,
 * then two readers of the same wire bytes that share nothing: one makes the digest, the other fills
 * Arrow vectors.
 */
@NullMarked
package io.weir.source.postgresql;

import org.jspecify.annotations.NullMarked;
