package io.weir.ledger.books;

import io.weir.core.error.ErrorCode;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The unique constraints whose violation is no bug but a race or a wrong request. A constant has
 * the name of its constraint, in upper case.
 */
public enum Constraint {
    RUN_IDEMPOTENCY_KEY_ONCE(true, ErrorCode.LEDGER_INVARIANT),
    RUN_ONE_ACTIVE_PER_KEY(true, ErrorCode.LEDGER_INVARIANT),
    PARTITION_TOKEN_ONCE(true, ErrorCode.LEDGER_INVARIANT),
    CHUNK_ONE_LAST(false, ErrorCode.CHUNK_CONFLICT),
    TARGET_PK(true, ErrorCode.LEDGER_INVARIANT),
    PUBLISH_ATTEMPT_TOKEN_ONCE(true, ErrorCode.LEDGER_INVARIANT),
    PUBLISH_ATTEMPT_ONE_OPEN_PER_TARGET(false, ErrorCode.TARGET_BUSY),
    OUTSIDE_CHUNK_PATH_ONCE(false, ErrorCode.UNIQUE_VIOLATION),
    OUTSIDE_DISPATCH_ONCE_PER_CYCLE(true, ErrorCode.LEDGER_INVARIANT);

    private final boolean retried;
    private final ErrorCode code;

    Constraint(boolean retried, ErrorCode code) {
        this.retried = retried;
        this.code = code;
    }

    /** Empty for a constraint that is violated only by a bug. */
    public static Optional<Constraint> named(String name) {
        return Arrays.stream(values())
                .filter(constraint -> constraint.constraintName().equals(name))
                .findFirst();
    }

    /** As the schema of the database spells it. */
    public String constraintName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Two calls at once; the second one decides again and then sees what the first one did. */
    public boolean isRetried() {
        return retried;
    }

    /** What is thrown, if it is retried only after the last try. */
    public ErrorCode code() {
        return code;
    }
}
