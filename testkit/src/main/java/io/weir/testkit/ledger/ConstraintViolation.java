package io.weir.testkit.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.books.Constraint;

import java.util.Optional;

/** A write broke a constraint of the schema; ends its transaction. */
final class ConstraintViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String constraint;

    ConstraintViolation(String constraint) {
        super(constraint);
        this.constraint = constraint;
    }

    boolean isRetried() {
        return Constraint.named(constraint).map(Constraint::isRetried).orElse(false);
    }

    WeirException translate(String action) {
        Optional<Constraint> known = Constraint.named(constraint);
        return new WeirException(
                known.map(Constraint::code).orElse(ErrorCode.LEDGER_INVARIANT),
                "Cannot " + action + ": a row breaks a rule of its table (constraint=" + constraint
                        + ")",
                this);
    }
}
