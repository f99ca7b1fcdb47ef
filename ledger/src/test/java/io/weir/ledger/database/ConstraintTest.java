package io.weir.ledger.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.ledger.TestBooks;
import io.weir.ledger.books.Constraint;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

class ConstraintTest {
    private static final String UNIQUE_INDEXES = """
            select c.relname
            from pg_index i
            join pg_class c on c.oid = i.indexrelid
            where i.indisunique and c.relnamespace = 'weir'::regnamespace
            """;

    private final Jdbi jdbi = migrated();

    @Test
    void everyConstraintIsInTheSchema() {
        List<String> unique = jdbi.withHandle(
                handle -> handle.createQuery(UNIQUE_INDEXES).mapTo(String.class).list());

        assertThat(unique)
                .containsAll(Arrays.stream(Constraint.values())
                        .map(Constraint::constraintName)
                        .toList());
    }

    /** The names that PostgreSQL reports lead to the same answers as the constants. */
    @Test
    void aViolationMeansWhatItsConstraintSays() {
        Map<String, String> answers = new TreeMap<>();
        for (Constraint constraint : Constraint.values()) {
            SQLException error = violation(constraint.constraintName());
            answers.put(
                    constraint.name(),
                    PostgresErrors.code(error) + " " + PostgresErrors.isRetried(error));
        }

        assertThat(answers)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "RUN_IDEMPOTENCY_KEY_ONCE", "LEDGER_INVARIANT true",
                        "RUN_ONE_ACTIVE_PER_KEY", "LEDGER_INVARIANT true",
                        "PARTITION_TOKEN_ONCE", "LEDGER_INVARIANT true",
                        "CHUNK_ONE_LAST", "CHUNK_CONFLICT false",
                        "TARGET_PK", "LEDGER_INVARIANT true",
                        "PUBLISH_ATTEMPT_TOKEN_ONCE", "LEDGER_INVARIANT true",
                        "PUBLISH_ATTEMPT_ONE_OPEN_PER_TARGET", "TARGET_BUSY false",
                        "OUTSIDE_CHUNK_PATH_ONCE", "UNIQUE_VIOLATION false",
                        "OUTSIDE_DISPATCH_ONCE_PER_CYCLE", "LEDGER_INVARIANT true"));
        SQLException bug = violation("event_pk");
        assertThat(PostgresErrors.code(bug)).isEqualTo(ErrorCode.LEDGER_INVARIANT);
        assertThat(PostgresErrors.isRetried(bug)).isFalse();
        assertThat(Constraint.named("event_pk")).isEmpty();
    }

    private static Jdbi migrated() {
        TestBooks.ledger();
        return TestBooks.jdbi();
    }

    /** What the driver throws when a constraint of that name is violated. */
    private SQLException violation(String name) {
        try (Handle handle = jdbi.open()) {
            handle.execute(
                    "do $$ begin raise unique_violation using constraint = '" + name + "'; end $$");
            throw new AssertionError("nothing was raised");
        } catch (JdbiException e) {
            Optional<SQLException> cause = PostgresErrors.find(e);
            return cause.orElseThrow();
        }
    }
}
