package io.weir.server.access;

import java.util.Arrays;

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

    /**
     * The scope of a text.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Scope of(String text) {
        return Arrays.stream(values())
                .filter(scope -> scope.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No scope " + text));
    }
}
