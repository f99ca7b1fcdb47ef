package io.weir.testkit.proxy;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a client asked for, answered as a whole: a simple query, or everything up to a Sync, of
 * PostgreSQL; one request of HTTP.
 *
 * @param number counted over all connections, from 1
 * @param connection counted from 1
 * @param statements in the order in which they run; of HTTP one: method and target
 */
public record Request(int number, int connection, List<String> statements) {
    private static final Pattern COMMIT =
            Pattern.compile("\\s*(commit|end)\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    public Request {
        statements = List.copyOf(statements);
    }

    /** Whether one of the statements ends a transaction for good. */
    public boolean isCommit() {
        return statements.stream().anyMatch(sql -> COMMIT.matcher(sql).matches());
    }

    public String text() {
        return String.join("; ", statements);
    }
}
