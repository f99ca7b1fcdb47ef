package io.weir.ledger.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ledger.TestBooks;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;

/** Every statement fits the migrated schema, the ones that no other test runs included. */
class StoreSqlTest {
    private static final List<Class<?>> STORES = List.of(
            PostgresOutsideSql.class,
            PostgresAccessBooks.class,
            PostgresAudit.class,
            PostgresLineageBooks.class,
            PostgresWatchBooks.class,
            PostgresReplicaSql.class,
            PostgresAlertSql.class,
            PostgresStores.class,
            PostgresStreamStore.class,
            PostgresRunStore.class,
            PostgresPartitionStore.class,
            PostgresChunkStore.class,
            PostgresMetricStore.class,
            PostgresDispatchStore.class,
            PostgresTargetStore.class,
            PostgresAttemptStore.class,
            PostgresEventStore.class,
            PostgresHolderStore.class,
            PostgresWorkerStore.class,
            PostgresLoopStore.class,
            OutsideAdvance.class,
            ReportMoves.class,
            ClaimMoves.class);

    @Test
    void everyStatementCanBePrepared() throws Exception {
        TestBooks.ledger();
        List<String> prepared = new ArrayList<>();
        try (Handle handle = TestBooks.jdbi().open()) {
            for (Class<?> store : STORES) {
                for (Field field : store.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers())
                            && field.getType() == String.class) {
                        field.setAccessible(true);
                        prepare(handle, (String) field.get(null));
                        prepared.add(store.getSimpleName() + "." + field.getName());
                    }
                }
            }
        }

        assertThat(prepared).hasSizeGreaterThan(50).contains("PostgresPartitionStore.LOCK_NEXT");
    }

    /** Asking for the parameters makes the server parse and plan the statement. */
    private static void prepare(Handle handle, String sql) throws Exception {
        String plain = new ColonPrefixSqlParser()
                .parse(sql, handle.createQuery(sql).getContext())
                .getSql();
        try (PreparedStatement statement = handle.getConnection().prepareStatement(plain)) {
            assertThat(statement.getParameterMetaData()).as(sql).isNotNull();
        }
    }
}
