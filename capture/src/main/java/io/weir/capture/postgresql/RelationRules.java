package io.weir.capture.postgresql;

import io.weir.capture.CaptureSpec;
import io.weir.core.error.ErrorCode;
import io.weir.core.row.Column;
import io.weir.source.Refusal;

import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What one table must fulfil, so that the log tells every change of it. */
final class RelationRules {
    private static final String RELATION = """
            select c.relkind::text as kind,
                c.relreplident::text as identity,
                c.relpersistence::text as persistence,
                (select bool_and(i.indimmediate)
                    from pg_index i where i.indrelid = c.oid and i.indisprimary) as key,
                array(select attname::text from pg_attribute a
                    where a.attrelid = c.oid and a.attgenerated <> '' and not a.attisdropped)
                    as generated
            from pg_class c
            where c.oid = ?::regclass
            """;

    /** Row filters and column lists exist since version 15 and are absent before. */
    private static final String PUBLICATION = """
            select p.pubinsert and p.pubupdate and p.pubdelete as rows,
                p.pubtruncate as truncate,
                t.tablename is not null as member,
                p.puballtables as everything,
                to_jsonb(t) ->> 'rowfilter' as filter,
                array(select jsonb_array_elements_text(
                    case jsonb_typeof(to_jsonb(t) -> 'attnames')
                        when 'array' then to_jsonb(t) -> 'attnames' else '[]' end)) as columns
            from pg_publication p
            left join pg_publication_tables t
                on t.pubname = p.pubname and t.schemaname = ? and t.tablename = ?
            where p.pubname = ?
            """;

    private final CaptureSession session;
    private final CaptureSpec spec;
    private final CapturedRelation relation;
    private final String publication;

    RelationRules(CaptureSession session, CaptureSpec spec, CapturedRelation relation) {
        this.session = session;
        this.spec = spec;
        this.relation = relation;
        this.publication = CapturedRelation.quote(spec.publication());
    }

    private record Shape(
            String kind,
            String identity,
            String persistence,
            boolean immediateKey,
            List<String> generated) {}

    private record Published(
            boolean rows,
            boolean truncate,
            boolean member,
            boolean everything,
            @Nullable String filter,
            List<String> columns) {}

    List<Refusal> refusals() {
        Shape shape = session.query(
                        RELATION,
                        row -> new Shape(
                                row.getString("kind"),
                                row.getString("identity"),
                                row.getString("persistence"),
                                row.getBoolean("key"),
                                texts(row, "generated")),
                        relation.quoted())
                .get(0);
        if (!shape.kind().equals("r") || !shape.persistence().equals("p")) {
            return List.of(refuse(
                    ErrorCode.CONFIG_INVALID,
                    "only permanent tables that are not partitioned have a change stream (kind="
                            + shape.kind() + ", persistence=" + shape.persistence() + ")",
                    "Name the partitions instead, or leave the table out."));
        }
        List<Refusal> found = new ArrayList<>(generated(shape));
        found.addAll(published());
        found.addAll(identity(shape));
        return found;
    }

    private List<Refusal> generated(Shape shape) {
        return shape.generated().stream()
                .filter(name -> relation.schema().names().contains(name))
                .map(name -> refuse(
                        ErrorCode.SOURCE_TYPE_UNSUPPORTED,
                        "column " + name + " is generated, and the log does not hold it",
                        "Leave the column out."))
                .toList();
    }

    private List<Refusal> published() {
        List<Published> rows = session.query(
                PUBLICATION,
                row -> new Published(
                        row.getBoolean("rows"),
                        row.getBoolean("truncate"),
                        row.getBoolean("member"),
                        row.getBoolean("everything"),
                        row.getString("filter"),
                        texts(row, "columns")),
                relation.schemaName(),
                relation.name(),
                spec.publication());
        if (rows.isEmpty()) {
            return List.of(refuse(
                    ErrorCode.CAPTURE_PUBLICATION_UNFIT,
                    "there is no publication of this name (publication=" + spec.publication() + ")",
                    "Run as the owner: CREATE PUBLICATION " + publication + " FOR TABLE "
                            + relation.quoted() + ";"));
        }
        return published(rows.get(0));
    }

    private List<Refusal> published(Published found) {
        if (!found.member()) {
            return List.of(unfit(
                    "the publication does not hold it",
                    "ALTER PUBLICATION " + publication + " ADD TABLE " + relation.quoted() + ";"));
        }
        List<Refusal> refusals = new ArrayList<>();
        if (!found.rows() || !found.truncate()) {
            refusals.add(unfit(
                    "the publication leaves out some kinds of changes (rows=" + found.rows()
                            + ", truncate=" + found.truncate() + ")",
                    "ALTER PUBLICATION " + publication
                            + " SET (publish = 'insert, update, delete, truncate');"));
        }
        String anew = "ALTER PUBLICATION " + publication + " DROP TABLE " + relation.quoted()
                + "; ALTER PUBLICATION " + publication + " ADD TABLE " + relation.quoted() + ";";
        if (found.filter() != null) {
            refusals.add(unfit("the publication hides rows (filter=" + found.filter() + ")", anew));
        }
        List<String> hidden = relation.schema().columns().stream()
                .map(Column::name)
                .filter(name -> !found.columns().isEmpty() && !found.columns().contains(name))
                .toList();
        if (!hidden.isEmpty()) {
            refusals.add(unfit("the publication hides columns (columns=" + hidden + ")", anew));
        }
        return refusals;
    }

    private List<Refusal> identity(Shape shape) {
        boolean full = shape.identity().equals("f");
        boolean key = shape.identity().equals("d") && shape.immediateKey();
        if (full || (key && spec.identity() == CaptureSpec.Identity.KEY)) {
            return List.of();
        }
        return List.of(refuse(
                ErrorCode.CAPTURE_IDENTITY_UNFIT,
                "its log does not tell enough of old rows (replica identity=" + shape.identity()
                        + ", primary key=" + shape.immediateKey() + ")",
                "Run as the owner: ALTER TABLE " + relation.quoted() + " REPLICA IDENTITY FULL;"));
    }

    private Refusal unfit(String reason, String statement) {
        return refuse(
                ErrorCode.CAPTURE_PUBLICATION_UNFIT, reason, "Run as the owner: " + statement);
    }

    private Refusal refuse(ErrorCode code, String reason, String hint) {
        return new Refusal(
                code, "Cannot capture table " + relation.qualifiedName() + ": " + reason, hint);
    }

    private static List<String> texts(ResultSet row, String name) throws SQLException {
        Array array = row.getArray(name);
        return array == null ? List.of() : List.of((String[]) array.getArray());
    }
}
