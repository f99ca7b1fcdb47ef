package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.core.run.KeyRange;
import io.weir.source.PartitionRows;
import io.weir.source.TableReader;
import io.weir.source.TableSpec;

import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One session at the snapshot. Each partition is read behind a savepoint, so that one that is given
 * up leaves the session at the snapshot.
 */
final class PostgresReader implements TableReader {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresReader.class);
    private static final String SAVEPOINT = "savepoint weir_partition";
    private static final String RELEASE = "release savepoint weir_partition";
    private static final String ROLLBACK = "rollback to savepoint weir_partition";

    private final PostgresSession session;
    private final Map<String, Relation> relations;
    private final BufferAllocator allocator;
    private boolean reading;

    PostgresReader(
            PostgresSession session, Map<String, Relation> relations, BufferAllocator allocator) {
        this.session = session;
        this.relations = Map.copyOf(relations);
        this.allocator = allocator;
    }

    @Override
    public PartitionRows read(
            TableSpec table,
            RowSchema schema,
            KeyRange range,
            PartitionBy partitionBy,
            @Nullable Column rowHash) {
        Relation relation = relations.get(table.table());
        if (relation == null || reading) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "Cannot read table " + table.table() + ": "
                            + (reading
                                    ? "the partition before is not closed"
                                    : "the snapshot was not opened for it"));
        }
        Activity activity =
                Activity.onTable("read", relation.name(), session.endpoint().user());
        List<CatalogColumn> columns = columns(relation, schema);
        PartitionPlan plan = new PartitionPlan(
                relation.name(),
                schema,
                wireTypes(relation, columns, schema),
                range,
                partitionBy,
                rowHash);
        String sql = CopySql.copy(
                relation.name(), columns, range, KeyedSql.of(relation, table, schema.columns()));
        session.execute(SAVEPOINT, activity);
        CopyOut copy = begin(sql, activity);
        reading = true;
        CopyTuples tuples = new CopyTuples(CopyMessages.of(copy), activity, plan.wireTypes());
        return new PostgresRows(
                plan,
                tuples,
                allocator.newChildAllocator(relation.name().toString(), 0, Long.MAX_VALUE),
                outcome -> end(copy, outcome, activity));
    }

    /** A statement that fails leaves the session at the snapshot too. */
    private CopyOut begin(String sql, Activity activity) {
        try {
            return session.copyOut(sql, activity);
        } catch (WeirException e) {
            try {
                session.execute(ROLLBACK, activity);
            } catch (WeirException lost) {
                // Whoever reads next is told that the session is gone, not that it failed before.
                session.close();
                e.addSuppressed(lost);
            }
            throw e;
        }
    }

    private static List<CatalogColumn> columns(Relation relation, RowSchema schema) {
        List<CatalogColumn> columns = new ArrayList<>();
        for (Column column : schema.columns()) {
            columns.add(relation.column(column.name())
                    .orElseThrow(() -> new WeirException(
                            ErrorCode.SOURCE_COLUMN_NOT_FOUND,
                            "Cannot read table " + relation.name() + ": it has no column "
                                    + column.name())));
        }
        return columns;
    }

    /** The types on the wire, if each column still is what the schema takes it for. */
    private static List<WireType> wireTypes(
            Relation relation, List<CatalogColumn> columns, RowSchema schema) {
        List<WireType> types = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            CatalogColumn found = columns.get(i);
            Column expected = schema.columns().get(i);
            types.add(found.mapping()
                    .filter(mapping -> mapping.type().equals(expected.type())
                            && found.sourceType().equals(expected.sourceType()))
                    .map(PostgresTypes.Mapping::wire)
                    .orElseThrow(() -> new WeirException(
                            ErrorCode.INTERNAL,
                            "Cannot read table " + relation.name() + ": column "
                                    + found.name() + " is of another type (expected="
                                    + expected.sourceType() + ", found="
                                    + found.sourceType() + ")")));
        }
        return types;
    }

    private void end(CopyOut copy, PostgresRows.Outcome outcome, Activity activity) {
        reading = false;
        switch (outcome) {
            case COMPLETE -> session.execute(RELEASE, activity);
            case GIVEN_UP -> cancel(copy, activity);
            // A server that is silent would be waited for once more.
            case LOST -> session.close();
            case FAILED -> {
                try {
                    cancel(copy, activity);
                } catch (WeirException e) {
                    // The first failure was told; the next use of the session tells of this one.
                    LOG.atDebug()
                            .addKeyValue("activity", activity.action())
                            .setCause(e)
                            .log("Cancel failed");
                }
            }
        }
    }

    /** What the server sent before the cancel request reached it has to be received. */
    private void cancel(CopyOut copy, Activity activity) {
        if (copy.isActive()) {
            session.cancel(activity);
            drain(copy, activity);
        }
        session.executeAfterCancel(ROLLBACK, activity);
    }

    private static void drain(CopyOut copy, Activity activity) {
        try {
            byte[] message = copy.readFromCopy();
            while (message != null) {
                message = copy.readFromCopy();
            }
        } catch (SQLException e) {
            if (!PostgresErrors.state(e).equals(PostgresErrors.CANCELED)) {
                throw PostgresErrors.during(activity, e);
            }
        }
    }

    void close() {
        session.close();
    }
}
