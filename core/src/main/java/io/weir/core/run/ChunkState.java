package io.weir.core.run;

/** The states of a chunk row. */
public enum ChunkState {
    /** Reported after the file was durable; counted. */
    WRITTEN,
    /** The staged file was measured and equals the report. */
    VERIFIED,
    /** The staged file was measured and differs, or the claim that wrote it was lost. */
    FAILED
}
