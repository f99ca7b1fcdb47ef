package io.weir.capture.postgresql;

import io.weir.capture.Capture;
import io.weir.capture.CaptureCheck;
import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeStream;
import io.weir.capture.SlotSnapshot;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Position;
import io.weir.source.Refusal;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.SourceTable;
import io.weir.source.Sources;
import io.weir.source.TableInspection;
import io.weir.source.TableSpec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The changes of a PostgreSQL database. */
public final class PostgresCapture implements Capture {
    private static final String NAME_PARTS = """
            select a[1] as schema, a[2] as name from (select parse_ident(?) as a) parts
            """;

    private static final String SLOT_EXISTS = """
            select 1 from pg_replication_slots where slot_name = ?
            """;

    private static final String CREATE_SLOT = """
            select lsn::text from pg_create_logical_replication_slot(?, 'pgoutput')
            """;

    private static final String DROP_SLOT = """
            select pg_drop_replication_slot(slot_name)
            from pg_replication_slots
            where slot_name = ?
            """;

    /** Makes a name that no slot of another session has as long as this session is open. */
    private static final String BACKEND = """
            select pg_backend_pid()::text
            """;

    private static final String SLOT_PLACE = """
            select confirmed_flush_lsn - '0/0'::pg_lsn
            from pg_replication_slots
            where slot_name = ?
            """;

    private static final String MARK = """
            select pg_logical_emit_message(true, 'weir', 'mark') - '0/0'::pg_lsn
            """;

    private final SourceConfig config;
    private final Set<String> reading = ConcurrentHashMap.newKeySet();

    private PostgresCapture(SourceConfig config) {
        this.config = config;
    }

    /** Takes note of a source; nothing is connected yet. */
    public static Capture of(SourceConfig config) {
        return new PostgresCapture(config);
    }

    private record Checked(List<Refusal> refusals, List<CapturedRelation> relations) {
        void throwFirst() {
            if (!refusals.isEmpty()) {
                throw refusals.get(0).exception();
            }
        }
    }

    @Override
    public CaptureCheck check(CaptureSpec spec, Map<String, RowSchema> known) {
        try (CaptureSession session = CaptureSession.open(config)) {
            Checked tables = tables(session, spec);
            List<Refusal> refusals = new ArrayList<>(tables.refusals());
            Map<String, RowSchema> now = new HashMap<>(known);
            tables.relations().forEach(relation -> {
                RowSchema rows = known.get(relation.qualifiedName());
                if (rows != null) {
                    refusals.addAll(relation.untold(rows));
                    now.put(relation.qualifiedName(), relation.refreshed(rows));
                }
            });
            refusals.addAll(slot(session, spec));
            return new CaptureCheck(refusals, now);
        }
    }

    @Override
    public Position createSlot(CaptureSpec spec) {
        try (CaptureSession session = CaptureSession.open(config)) {
            refuseSlot(session, spec);
            String lsn = session.query(CREATE_SLOT, row -> row.getString(1), spec.slot())
                    .get(0);
            return new Position(Lsn.KIND, lsn);
        }
    }

    private void refuseSlot(CaptureSession session, CaptureSpec spec) {
        tables(session, spec).throwFirst();
        if (exists(session, spec)) {
            throw new WeirException(
                    ErrorCode.CAPTURE_SLOT_BUSY,
                    "Cannot create slot " + spec.slot() + ": it exists (source=" + config.name()
                            + ")",
                    "Go on with it, name another one, or drop it: SELECT"
                            + " pg_drop_replication_slot("
                            + ServerRules.literal(spec.slot()) + ");",
                    null);
        }
    }

    private static boolean exists(CaptureSession session, CaptureSpec spec) {
        return !session.query(SLOT_EXISTS, row -> true, spec.slot()).isEmpty();
    }

    @Override
    public SlotSnapshot handOver(CaptureSpec spec) {
        try (CaptureSession session = CaptureSession.open(config)) {
            refuseSlot(session, spec);
        }
        return ExportedSlot.create(config, spec.slot(), false);
    }

    @Override
    public SlotSnapshot snapshot(CaptureSpec spec) {
        try (CaptureSession session = CaptureSession.open(config)) {
            tables(session, spec).throwFirst();
            String name =
                    session.query(BACKEND, row -> "weir_" + row.getString(1)).get(0);
            return ExportedSlot.create(config, name, true);
        }
    }

    @Override
    public Map<String, Optional<Object>> initialValues(String table, List<Column> columns) {
        try (CaptureSession session = CaptureSession.open(config)) {
            return new InitialValues(session).of(table, columns);
        }
    }

    @Override
    public void dropSlot(CaptureSpec spec) {
        try (CaptureSession session = CaptureSession.open(config)) {
            session.query(DROP_SLOT, row -> true, spec.slot());
        }
    }

    @Override
    public boolean hasSlot(CaptureSpec spec) {
        try (CaptureSession session = CaptureSession.open(config)) {
            return exists(session, spec);
        }
    }

    @Override
    public long slotPlace(CaptureSpec spec) {
        try (CaptureSession session = CaptureSession.open(config)) {
            return session.query(SLOT_PLACE, row -> row.getLong(1), spec.slot()).stream()
                    .findFirst()
                    .orElseThrow(() -> new WeirException(
                            ErrorCode.CAPTURE_SLOT_MISSING,
                            "Cannot capture source " + config.name()
                                    + ": there is no replication slot of this name (slot="
                                    + spec.slot() + ")"));
        }
    }

    @Override
    public long mark() {
        try (CaptureSession session = CaptureSession.open(config)) {
            return session.query(MARK, row -> row.getLong(1)).get(0);
        }
    }

    @Override
    public ChangeStream open(
            CaptureSpec spec,
            Map<String, RowSchema> schemas,
            Map<String, Long> floors,
            Map<String, Set<String>> added) {
        List<CapturedRelation> relations;
        try (CaptureSession session = CaptureSession.open(config)) {
            Checked tables = tables(session, spec);
            tables.throwFirst();
            slot(session, spec).stream().findFirst().ifPresent(refusal -> {
                throw refusal.exception();
            });
            relations = tables.relations().stream()
                    .map(relation -> withSchema(relation, schemas))
                    .toList();
        }
        ChangeStream stream = DebeziumStream.start(
                new DebeziumSettings(config, spec, relations).properties(),
                new EventReader(config.name(), spec.identity(), relations, floors, added),
                () -> reading.remove(spec.slot()));
        reading.add(spec.slot());
        return stream;
    }

    private Checked tables(CaptureSession session, CaptureSpec spec) {
        List<Refusal> refusals =
                new ArrayList<>(new ServerRules(session, spec, config.name()).server());
        List<CapturedRelation> relations = new ArrayList<>();
        try (Source source = Sources.open(config)) {
            List<TableInspection> inspections = source.inspect(spec.tables());
            for (int i = 0; i < inspections.size(); i++) {
                TableSpec table = spec.tables().get(i);
                TableInspection inspection = inspections.get(i);
                refusals.addAll(inspection.refusals());
                SourceTable found = inspection.table();
                if (found != null) {
                    CapturedRelation relation = relation(session, table, found);
                    relations.add(relation);
                    refusals.addAll(policies(found));
                    refusals.addAll(new RelationRules(session, spec, relation).refusals());
                }
            }
        }
        return new Checked(refusals, relations);
    }

    private List<Refusal> slot(CaptureSession session, CaptureSpec spec) {
        return new ServerRules(session, spec, config.name()).slot(reading.contains(spec.slot()));
    }

    private static CapturedRelation relation(
            CaptureSession session, TableSpec spec, SourceTable table) {
        return session.query(
                        NAME_PARTS,
                        row -> new CapturedRelation(
                                table.qualifiedName(),
                                row.getString("schema"),
                                row.getString("name"),
                                spec.exclude(),
                                table.schema()),
                        table.qualifiedName())
                .get(0);
    }

    /** The log has no place for what a policy would change. */
    private static List<Refusal> policies(SourceTable table) {
        return table.columns().stream()
                .filter(column -> column.policy() != LossPolicy.FAIL)
                .map(column -> new Refusal(
                        ErrorCode.CONFIG_INVALID,
                        "Cannot capture table " + table.qualifiedName() + ": column "
                                + column.name() + " has a policy that changes are not read with"
                                + " (policy=" + column.policy() + ")",
                        "Leave the policy out; a value that cannot be held then stops."))
                .toList();
    }

    private static CapturedRelation withSchema(
            CapturedRelation relation, Map<String, RowSchema> schemas) {
        RowSchema schema = schemas.get(relation.qualifiedName());
        if (schema == null) {
            throw new IllegalArgumentException("No schema for " + relation.qualifiedName());
        }
        return new CapturedRelation(
                relation.qualifiedName(),
                relation.schemaName(),
                relation.name(),
                relation.excluded(),
                schema);
    }
}
