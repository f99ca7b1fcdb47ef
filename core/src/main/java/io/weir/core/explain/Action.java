package io.weir.core.explain;

import org.jspecify.annotations.Nullable;

/**
 * What a person can do.
 *
 * @param text without a full stop
 * @param command to type, with JOB.YAML and TEXT to be filled in; null if it is no command of Weir
 */
public record Action(String text, @Nullable String command) {}
