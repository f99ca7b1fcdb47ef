package io.weir.server.access;

/** One thing that a caller may do. */
public enum Scope {
    RUNS_CREATE("runs:create"),
    RUNS_READ("runs:read"),
    /** Claims, reports, failures and events of running work. */
    PARTS_WORK("parts:work"),
    VALIDATE_WORK("validate:work"),
    PUBLISH_WORK("publish:work"),
    CLEANUP_WORK("cleanup:work"),
    OPERATOR_ACT("operator:act"),
    OPERATOR_RESOLVE("operator:resolve"),
    AUDIT_READ("audit:read"),
    ADMIN_TOKENS("admin:tokens");

    private final String text;

    Scope(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
