package io.weir.capture;

import java.util.Locale;

/** What a change does. */
public enum ChangeOp {
    /** A row that was not there; has only an after image. */
    INSERT,
    /** A row that changed, its key excepted. */
    UPDATE,
    /** A row that went; has only a before image. A changed key is a delete and an insert. */
    DELETE,
    /** Every row went; has no image. */
    TRUNCATE;

    /** As change logs store it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
