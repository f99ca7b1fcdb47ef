package io.weir.core.run;

/** How many values of a column were changed by its declared policy. */
public record Loss(String column, long values) {}
