package io.weir.ledger.fsck;

import org.jdbi.v3.core.Handle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The constraints of one table as a query for the rows that break them. */
final class TableConstraints {
    private static final int COLUMNS_MAX = 100;

    private static final String CHECKS = """
            select conname as name, pg_get_expr(conbin, conrelid) as text
            from pg_constraint
            where conrelid = cast(:table as regclass) and contype = 'c'
            order by conname
            """;

    private static final String KEYS = """
            select index.relname as name, coalesce(pg_get_expr(indpred, indrelid), '') as text,
                (select string_agg(attname, ', ' order by array_position(
                        string_to_array(indkey::text, ' ')::smallint[], attnum))
                    from pg_attribute where attrelid = indrelid and attnum = any (indkey)
                ) as columns
            from pg_index
            join pg_class as index on index.oid = indexrelid
            where indrelid = cast(:table as regclass) and indisunique
            order by index.relname
            """;

    private static final String REFERENCES = """
            select conname as name,
                (select 'weir.' || relname from pg_class where oid = confrelid) as text,
                (select string_agg(other.attname || ' = own.' || own.attname, ' and ' order by i)
                    from generate_subscripts(conkey, 1) as i
                    join pg_attribute as own on own.attrelid = conrelid
                        and own.attnum = conkey[i]
                    join pg_attribute as other on other.attrelid = confrelid
                        and other.attnum = confkey[i]
                ) as columns
            from pg_constraint
            where conrelid = cast(:table as regclass) and contype = 'f'
            order by conname
            """;

    /** Rules that a trigger asks; see V035. */
    private static final String TRIGGERS = """
            select distinct prosrc as text
            from pg_trigger
            join pg_proc on pg_proc.oid = tgfoid
            where tgrelid = cast(:table as regclass) and not tgisinternal
            """;

    private static final Pattern RULE =
            Pattern.compile("when not \\((.*?)\\)\\s+then '(\\w+)'", Pattern.DOTALL);
    private static final Pattern OWN = Pattern.compile(
            "select '(\\w+)'.*?from (weir\\.\\w+) as other\\s+where ([^)]*)\\)", Pattern.DOTALL);

    private static final String PRIMARY_KEY = """
            select attname
            from pg_index
            join pg_attribute on attrelid = indrelid and attnum = any (indkey)
            where indrelid = cast(:table as regclass) and indisprimary
            order by attnum
            """;

    private final Handle handle;
    private final String table;
    private final List<String> selects = new ArrayList<>();

    private TableConstraints(Handle handle, String table) {
        this.handle = handle;
        this.table = "weir." + table;
    }

    /** The whole file. */
    static String file(Handle handle, String table) {
        TableConstraints constraints = new TableConstraints(handle, table);
        constraints.read();
        return "-- Every row of weir." + table + " keeps the constraints of its table.\n\n"
                + "-- Generated from the migrated schema; a test keeps the two equal. A restored"
                + " dump may have\n-- lost a constraint and then hold what it kept out.\n"
                + String.join("union all\n", constraints.selects)
                + "order by 1, 2\n";
    }

    private void read() {
        String names =
                handle
                        .createQuery(PRIMARY_KEY)
                        .bind("table", table)
                        .mapTo(String.class)
                        .list()
                        .stream()
                        .map(name -> name.equals("id") && table.equals("weir.run")
                                ? "id as run_id"
                                : name)
                        .collect(Collectors.joining(", "));
        List<Constraint> checks = new ArrayList<>(constraints(CHECKS));
        List<Constraint> references = new ArrayList<>(constraints(REFERENCES));
        for (String source : triggers()) {
            RULE.matcher(source)
                    .results()
                    .map(rule -> new Constraint(rule.group(2), plain(rule.group(1)), ""))
                    .forEach(checks::add);
            OWN.matcher(source)
                    .results()
                    .map(rule -> new Constraint(rule.group(1), rule.group(2), plain(rule.group(3))))
                    .forEach(references::add);
        }
        checks.sort(Comparator.comparing(Constraint::name));
        for (Constraint check : checks) {
            add(names, check, table, "not " + check.text);
        }
        for (Constraint key : constraints(KEYS)) {
            String where = key.text.isEmpty() ? "" : " and " + key.text;
            String counted = "(\n    select *, count(*) over (partition by " + key.columns
                    + ") as same\n    from " + table + "\n"
                    + wrap("    where num_nulls(" + key.columns + ") = 0" + where)
                    + "\n) as counted";
            add(names, key, counted, "same > 1");
        }
        for (Constraint reference : references) {
            String own = reference
                    .columns
                    .replaceAll("\\w+ = (own\\.\\w+)", "$1")
                    .replace(" and ", ", ");
            add(
                    names,
                    reference,
                    table + " as own",
                    "num_nulls(" + own + ") = 0\n"
                            + "  and not exists (select from " + reference.text + " as other where "
                            + reference.columns.replaceAll("(\\w+) = own", "other.$1 = own") + ")");
        }
    }

    private void add(String names, Constraint constraint, String from, String where) {
        selects.add("select " + names + ", '" + constraint.name + "' as broken\nfrom " + from + "\n"
                + wrap("where " + where) + "\n");
    }

    private List<String> triggers() {
        return handle.createQuery(TRIGGERS)
                .bind("table", table)
                .mapTo(String.class)
                .list();
    }

    /** A rule of a trigger as one about the columns of a row, in one line. */
    private static String plain(String rule) {
        String text = rule.replaceAll("\\b(new|c|other)\\.", "").replaceAll("\\s+", " ");
        return text.contains("own.") ? text : "(" + text + ")";
    }

    private record Constraint(String name, String text, String columns) {}

    private List<Constraint> constraints(String sql) {
        return handle.createQuery(sql)
                .bind("table", table)
                .map((row, context) -> new Constraint(
                        row.getString("name"),
                        row.getString("text"),
                        row.getMetaData().getColumnCount() > 2 ? row.getString("columns") : ""))
                .list();
    }

    /** No constant of the schema holds a space, so that every space may become a line break. */
    private static String wrap(String text) {
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column > 0 && column + 1 + word.length() > COLUMNS_MAX) {
                wrapped.append("\n       ");
                column = 7;
            }
            if (wrapped.length() > 0) {
                wrapped.append(' ');
                column++;
            }
            wrapped.append(word);
            int newLine = word.lastIndexOf('\n');
            column = newLine < 0 ? column + word.length() : word.length() - newLine - 1;
        }
        return wrapped.toString();
    }
}
