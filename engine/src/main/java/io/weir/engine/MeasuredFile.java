package io.weir.engine;

import io.weir.core.row.Balance;

import java.nio.file.Path;

/** The balance of one file, from its own bytes. */
public record MeasuredFile(Path path, Balance balance) {}
