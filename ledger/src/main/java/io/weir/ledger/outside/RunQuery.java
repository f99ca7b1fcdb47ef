package io.weir.ledger.outside;

import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

/** Which outside runs to list, newest first; null leaves a bound out. */
public record RunQuery(
        @Nullable String job,
        @Nullable String businessKey,
        @Nullable RunState state,
        int limit) {}
