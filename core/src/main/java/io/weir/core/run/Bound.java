package io.weir.core.run;

/**
 * One cut of a split plan as typed text; two bounds are equal only if their texts are.
 *
 * @param kind what is compared, such as {@code ctid} or the type of the split column
 * @param text the literal, in the engine's own words
 */
public record Bound(String kind, String text) {}
