package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;

import org.jspecify.annotations.Nullable;

/**
 * What was being done when a statement failed.
 *
 * @param action completes "Cannot …"
 * @param grant completes a hint for a missing privilege; null where none is known
 * @param needsSnapshot whether the statement asks if a snapshot is still held
 */
record Activity(String action, @Nullable String grant, boolean needsSnapshot) {
    static Activity of(String action) {
        return new Activity(action, null, false);
    }

    static Activity onTable(String verb, RelationName table, String user) {
        return new Activity(
                verb + " table " + table,
                "GRANT SELECT ON " + table.quoted() + " TO " + RelationName.quote(user),
                false);
    }

    static Activity importing(String source, String token) {
        return new Activity(
                "join the snapshot of source " + source + " (token=" + token + ")", null, true);
    }

    static Activity holding(String source) {
        return new Activity("hold the snapshot of source " + source, null, true);
    }

    /** The same, some rows later. */
    Activity after(long rows) {
        return new Activity(action + " after " + rows + " rows", grant, needsSnapshot);
    }

    String grantHint() {
        return grant == null
                ? ErrorCode.SOURCE_PRIVILEGE_MISSING.hint()
                : "Run as the owner: " + grant + ";";
    }
}
