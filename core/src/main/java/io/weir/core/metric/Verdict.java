package io.weir.core.metric;

/** The ledger's judgement of one metric, computed by it from expected and actual. */
public enum Verdict {
    PASS,
    FAIL
}
