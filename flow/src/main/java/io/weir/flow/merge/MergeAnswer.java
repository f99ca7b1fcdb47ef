package io.weir.flow.merge;

/** What planning a window comes to. */
public sealed interface MergeAnswer permits MergePlan, MergeStop {}
