package io.weir.core.ledger;

import io.weir.core.row.Balance;

/**
 * What the audit found in one staged file.
 *
 * @param path the location, as the chunk has it
 */
public record FileMeasure(String path, Balance balance) {}
