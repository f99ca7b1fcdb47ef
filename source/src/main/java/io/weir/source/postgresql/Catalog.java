package io.weir.source.postgresql;

import io.weir.source.ServerFacts;
import io.weir.source.SourceMark;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks relations up in the system catalog; reads no row of theirs. */
final class Catalog {
    private static final String SERVER = """
            select current_setting('server_version') as version,
                   current_setting('server_version_num')::int as number,
                   current_setting('server_encoding') as encoding,
                   current_setting('block_size')::int as block_size,
                   pg_catalog.pg_is_in_recovery() as standby
            """;

    private static final String RELATION = """
            select c.oid::bigint as oid,
                   c.relkind::text as kind,
                   c.relrowsecurity as secured,
                   row_security_active(c.oid) as hidden,
                   has_schema_privilege(n.oid, 'USAGE') as schema_usage,
                   has_table_privilege(c.oid, 'SELECT') as may_select
            from pg_catalog.pg_class c
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where n.nspname = ? and c.relname = ?
            """;

    /** Domains are followed to their base type; an unvalidated NOT NULL promises nothing. */
    private static final String COLUMNS = """
            with recursive resolved as (
                select a.attnum, a.atttypid as type, a.atttypmod as modifier, 0 as depth
                from pg_catalog.pg_attribute a
                where a.attrelid = ?::oid and a.attnum > 0 and not a.attisdropped
                union all
                select r.attnum, t.typbasetype, t.typtypmod, r.depth + 1
                from resolved r
                join pg_catalog.pg_type t on t.oid = r.type
                where t.typtype = 'd'
            ), base as (
                select distinct on (attnum) attnum, type, modifier
                from resolved
                order by attnum, depth desc
            )
            select a.attnum as number,
                   (select count(*)
                       from pg_catalog.pg_attribute g
                       where g.attrelid = a.attrelid and g.attnum > 0 and g.attisdropped)
                       as dropped,
                   c.relfilenode::bigint as file,
                   a.xmin::text::bigint as version,
                   a.atthasmissing as kept,
                   coalesce((select d.oid::bigint
                       from pg_catalog.pg_attrdef d
                       where d.adrelid = a.attrelid and d.adnum = a.attnum), 0) as default_id,
                   a.attname as name,
                   format_type(a.atttypid, a.atttypmod) as declared_type,
                   case when t.typtype = 'e'
                       then quote_ident(n.nspname) || '.' || quote_ident(t.typname)
                       else format_type(b.type, b.modifier)
                   end as source_type,
                   b.type::bigint as type_oid,
                   b.modifier as type_modifier,
                   t.typtype::text as type_kind,
                   a.attnotnull and not exists (
                       select from pg_catalog.pg_constraint k
                       where k.conrelid = a.attrelid and k.contype = 'n'
                         and not k.convalidated and a.attnum = any (k.conkey)
                   ) as not_null
            from base b
            join pg_catalog.pg_attribute a on a.attrelid = ?::oid and a.attnum = b.attnum
            join pg_catalog.pg_class c on c.oid = a.attrelid
            join pg_catalog.pg_type t on t.oid = b.type
            join pg_catalog.pg_namespace n on n.oid = t.typnamespace
            order by a.attnum
            """;

    private static final String PRIMARY_KEY = """
            select a.attname
            from pg_catalog.pg_index i
            cross join lateral unnest(i.indkey::int2[]) with ordinality k (attnum, place)
            join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
            where i.indrelid = ?::oid and i.indisprimary and k.place <= i.indnkeyatts
            order by k.place
            """;

    /** Whatever is read with a relation: what inherits from it, and what a view selects from. */
    private static final String MEMBERS = """
            with recursive member as (
                select ?::oid as oid
                union
                select related.oid
                from member m
                cross join lateral (
                    select i.inhrelid as oid
                    from pg_catalog.pg_inherits i
                    where i.inhparent = m.oid
                    union
                    select d.refobjid
                    from pg_catalog.pg_rewrite w
                    join pg_catalog.pg_class v on v.oid = w.ev_class and v.relkind = 'v'
                    join pg_catalog.pg_depend d
                      on d.classid = 'pg_catalog.pg_rewrite'::regclass
                     and d.objid = w.oid
                     and d.refclassid = 'pg_catalog.pg_class'::regclass
                    where w.ev_class = m.oid
                ) related
            )
            select c.oid::bigint as oid,
                   c.relkind::text as kind,
                   coalesce(am.amname = 'heap', false) as heap,
                   quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
                   case when c.relkind in ('r', 'm')
                       then coalesce(pg_relation_size(c.oid), 0) else 0 end as main_bytes,
                   case when c.relkind in ('r', 'm')
                       then coalesce(pg_table_size(c.oid), 0) else 0 end as table_bytes
            from member m
            join pg_catalog.pg_class c on c.oid = m.oid
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            left join pg_catalog.pg_am am on am.oid = c.relam
            where c.relkind in ('r', 'p', 'v', 'm', 'f')
            order by c.oid
            """;

    /** Compares the file that the snapshot sees with the file that is read now. */
    private static final String REWRITTEN = """
            select quote_ident(n.nspname) || '.' || quote_ident(c.relname)
            from pg_catalog.pg_class c
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where c.oid = ?::oid and c.relfilenode <> 0
              and pg_relation_filenode(c.oid) is distinct from c.relfilenode
            """;

    private static final String NAMES = """
            select n.nspname, c.relname
            from pg_catalog.pg_class c
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where c.relkind in ('r', 'p', 'v', 'm')
              and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
            order by c.oid desc
            limit 5000
            """;

    private static final Pattern ESTIMATE = Pattern.compile("rows=([0-9]+) width=([0-9]+)");

    private final PostgresSession session;
    private final Activity activity;

    Catalog(PostgresSession session, Activity activity) {
        this.session = session;
        this.activity = activity;
    }

    /** The server, and the size of its blocks. */
    record Server(ServerFacts facts, int blockBytes) {}

    Server server() {
        return session.query(
                        SERVER,
                        activity,
                        row -> new Server(
                                new ServerFacts(
                                        row.getString("version"),
                                        row.getInt("number"),
                                        row.getBoolean("standby")
                                                ? ServerFacts.Role.STANDBY
                                                : ServerFacts.Role.PRIMARY,
                                        row.getString("encoding")),
                                row.getInt("block_size")))
                .get(0);
    }

    /** A relation and all that is read with it; empty if there is none of this name. */
    Optional<Relation> relation(RelationName name) {
        List<Relation> found = session.query(
                RELATION,
                activity,
                row -> new Relation(
                        row.getLong("oid"),
                        name,
                        Relation.Kind.of(row.getString("kind")),
                        new Relation.Access(
                                row.getBoolean("schema_usage"),
                                row.getBoolean("may_select"),
                                row.getBoolean("secured"),
                                row.getBoolean("hidden")),
                        List.of(),
                        List.of(),
                        List.of()),
                name.schema(),
                name.name());
        return found.stream().findFirst().map(this::completed);
    }

    private Relation completed(Relation bare) {
        List<Relation.Member> members = session.query(
                MEMBERS,
                activity,
                row -> new Relation.Member(
                        row.getLong("oid"),
                        Relation.Kind.of(row.getString("kind")),
                        row.getBoolean("heap"),
                        row.getString("name"),
                        row.getLong("main_bytes"),
                        row.getLong("table_bytes")),
                bare.oid());
        boolean keyBinds = bare.kind() == Relation.Kind.PARTITIONED || members.size() == 1;
        List<String> key = keyBinds
                ? session.query(PRIMARY_KEY, activity, row -> row.getString(1), bare.oid())
                : List.of();
        return new Relation(
                bare.oid(),
                bare.name(),
                bare.kind(),
                bare.access(),
                columns(bare.oid()),
                key,
                members);
    }

    private List<CatalogColumn> columns(long oid) {
        return session.query(
                COLUMNS,
                activity,
                row -> new CatalogColumn(
                        new SourceMark(
                                oid,
                                row.getInt("number"),
                                row.getInt("dropped"),
                                row.getLong("file"),
                                row.getLong("version"),
                                row.getBoolean("kept"),
                                row.getLong("default_id")),
                        row.getString("name"),
                        row.getString("declared_type"),
                        row.getString("source_type"),
                        Math.toIntExact(row.getLong("type_oid")),
                        row.getInt("type_modifier"),
                        row.getString("type_kind").charAt(0),
                        row.getBoolean("not_null")),
                oid,
                oid);
    }

    /** Rows that the planner expects, and bytes of one. */
    record Estimate(long rows, long rowBytes) {}

    /** Asks the planner; the statement is not run. */
    Estimate estimate(RelationName table) {
        String plan = session.query(
                        "explain select * from " + table.quoted(),
                        activity,
                        row -> row.getString(1))
                .get(0);
        Matcher matcher = ESTIMATE.matcher(plan);
        return matcher.find()
                ? new Estimate(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))
                : new Estimate(0, 0);
    }

    /** Names of members that were rewritten after the snapshot; no MVCC protects such reads. */
    List<String> rewritten(Relation relation) {
        return relation.members().stream()
                .flatMap(member ->
                        session
                                .query(REWRITTEN, activity, row -> row.getString(1), member.oid())
                                .stream())
                .toList();
    }

    List<RelationName> names() {
        return session.query(
                NAMES, activity, row -> new RelationName(row.getString(1), row.getString(2)));
    }
}
