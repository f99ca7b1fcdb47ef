package io.weir.core.explain;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A finding while a rule puts it together. */
final class Draft {
    private final FindingCode code;
    private final String cause;
    private final List<Evidence> evidence = new ArrayList<>();
    private final List<Action> actions = new ArrayList<>();
    private @Nullable Instant since;
    private @Nullable Next next;

    Draft(FindingCode code, String cause) {
        this.code = code;
        this.cause = cause;
    }

    Draft since(@Nullable Instant value) {
        since = value;
        return this;
    }

    /** A fact that may be missing: then nothing is added. */
    Draft fact(String label, @Nullable Object value) {
        if (value != null) {
            evidence.add(Evidence.of(label, value));
        }
        return this;
    }

    Draft time(String label, @Nullable Instant at) {
        if (at != null) {
            evidence.add(Evidence.time(label, at));
        }
        return this;
    }

    Draft next(Next value) {
        next = value;
        return this;
    }

    Draft act(Action action) {
        actions.add(action);
        return this;
    }

    Draft act(List<Action> more) {
        actions.addAll(more);
        return this;
    }

    Finding done() {
        return new Finding(code, code.severity(), since, cause, evidence, next, actions);
    }
}
