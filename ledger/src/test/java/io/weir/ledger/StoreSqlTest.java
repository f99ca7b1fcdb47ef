package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ledger.chunk.ChunkStore;
import io.weir.ledger.dispatch.DispatchStore;
import io.weir.ledger.event.EventStore;
import io.weir.ledger.metric.MetricStore;
import io.weir.ledger.partition.PartitionStore;
import io.weir.ledger.publish.AttemptStore;
import io.weir.ledger.publish.TargetStore;
import io.weir.ledger.run.RunStore;

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
            Books.class,
            RunStore.class,
            PartitionStore.class,
            ChunkStore.class,
            MetricStore.class,
            DispatchStore.class,
            TargetStore.class,
            AttemptStore.class,
            EventStore.class);

    @Test
    void everyStatementCanBePrepared() throws Exception {
        TestBooks.ledger();
        List<String> prepared = new ArrayList<>();
        try (Handle handle = TestBooks.jdbi().open()) {
            for (Class<?> store : STORES) {
                for (Field field : store.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers())
                            && field.getType() == String.class
                            && !field.getName().equals("ROW")) {
                        field.setAccessible(true);
                        prepare(handle, (String) field.get(null));
                        prepared.add(store.getSimpleName() + "." + field.getName());
                    }
                }
            }
        }

        assertThat(prepared).hasSizeGreaterThan(35).contains("PartitionStore.LOCK_NEXT");
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
