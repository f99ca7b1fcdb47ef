package io.weir.core.ledger;

import io.weir.core.run.PartitionState;
import io.weir.core.run.RunState;

/** What the ledger holds after a report. */
public record ReportReply(PartitionState partitionState, RunState runState) {}
