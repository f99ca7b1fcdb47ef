package io.weir.server.route;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.outside.Actor;
import io.weir.server.access.Caller;
import io.weir.server.shape.Documents;
import io.weir.server.shape.Values;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * One call, apart from the protocol that brought it.
 *
 * @param body checked against the shape of the route
 * @param idempotencyKey null if the caller named none
 */
public record Call(
        Map<String, String> path,
        Map<String, String> query,
        Values body,
        Caller caller,
        String requestId,
        @Nullable String idempotencyKey) {
    private static final Pattern ID =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern PARTITION = Pattern.compile("[0-9]{4}|NULL");
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,6}");

    public Actor actor() {
        return new Actor(caller.name(), caller.role().text(), requestId);
    }

    /** The person behind the token, with a reason. */
    public Operator operator(String reason) {
        return new Operator(caller.name(), reason);
    }

    public RunId runId() {
        return new RunId(id("runId"));
    }

    /** A UUID in the path. */
    public UUID id(String name) {
        String text = path.getOrDefault(name, "");
        if (!ID.matcher(text).matches()) {
            throw Documents.invalid(List.of("path " + name + ": not a UUID"));
        }
        return UUID.fromString(text);
    }

    public PartitionId partitionId() {
        String text = path.getOrDefault("partitionId", "");
        if (!PARTITION.matcher(text).matches()) {
            throw Documents.invalid(List.of("path partitionId: neither four digits nor NULL"));
        }
        return new PartitionId(text);
    }

    /** A text in the query, of a form. */
    public @Nullable String query(String name, Pattern form) {
        String text = query.get(name);
        if (text != null && !form.matcher(text).matches()) {
            throw Documents.invalid(List.of("query " + name + ": not of the form " + form));
        }
        return text;
    }

    public <E extends Enum<E>> @Nullable E constant(String name, Class<E> type) {
        String text = query.get(name);
        if (text == null) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(text)) {
                return constant;
            }
        }
        throw Documents.invalid(List.of("query " + name + ": unknown"));
    }

    /** How many at most. */
    public int limit(int otherwise, int most) {
        String text = query.get("limit");
        if (text == null) {
            return otherwise;
        }
        boolean good = COUNT.matcher(text).matches()
                && Integer.parseInt(text) >= 1
                && Integer.parseInt(text) <= most;
        if (!good) {
            throw Documents.invalid(List.of("query limit: not 1 to " + most));
        }
        return Integer.parseInt(text);
    }

    /** For what the path names and the ledger has not. */
    public WeirException notFound(ErrorCode code, String what) {
        return new WeirException(code, "Cannot find " + what + ": the ledger has no such thing");
    }
}
