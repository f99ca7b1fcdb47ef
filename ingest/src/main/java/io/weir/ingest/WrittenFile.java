package io.weir.ingest;

import io.weir.core.row.Balance;
import io.weir.table.StagedFile;

/** A durable file of rows that were digested before they were written. */
record WrittenFile(StagedFile file, Balance balance) {}
