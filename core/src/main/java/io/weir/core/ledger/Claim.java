package io.weir.core.ledger;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import java.util.UUID;

/** Proof of ownership of a partition; every call of its worker carries it. */
public record Claim(RunId runId, PartitionId partitionId, UUID token, long epoch) {}
