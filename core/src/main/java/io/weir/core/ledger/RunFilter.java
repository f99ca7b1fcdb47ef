package io.weir.core.ledger;

import org.jspecify.annotations.Nullable;

/** Which runs to list, newest first. */
public record RunFilter(@Nullable String job, boolean activeOnly, int limit) {}
