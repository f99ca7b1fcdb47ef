package io.weir.source.postgresql;

import io.weir.source.SourceTable;

/** A table that a snapshot holds. */
record SnapshotTable(Relation relation, SourceTable table) {}
