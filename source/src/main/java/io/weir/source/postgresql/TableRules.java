package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionKey;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.source.Refusal;
import io.weir.source.RowSecurity;
import io.weir.source.SourceTable;
import io.weir.source.TableSpec;
import io.weir.source.UnsupportedColumn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a table must fulfil to be read as its spec says. */
final class TableRules {
    private final TableSpec spec;
    private final Relation relation;
    private final String user;

    TableRules(TableSpec spec, Relation relation, String user) {
        this.spec = spec;
        this.relation = relation;
        this.user = user;
    }

    Refusal refuse(ErrorCode code, String reason) {
        return new Refusal(code, "Cannot read table " + relation.name() + ": " + reason);
    }

    private Refusal refuse(ErrorCode code, String reason, String hint) {
        return new Refusal(code, "Cannot read table " + relation.name() + ": " + reason, hint);
    }

    List<String> privileges() {
        return List.of(
                "USAGE on schema " + RelationName.quote(relation.name().schema()) + ": "
                        + granted(relation.access().schemaUsage()),
                "SELECT on " + relation.name() + ": "
                        + granted(relation.access().select()));
    }

    private static String granted(boolean has) {
        return has ? "granted" : "missing";
    }

    RowSecurity rowSecurity() {
        if (!relation.access().secured()) {
            return RowSecurity.NONE;
        }
        return relation.access().hidden() ? RowSecurity.HIDES_ROWS : RowSecurity.BYPASSED;
    }

    /** Against the relation as a whole. */
    List<Refusal> relationRefusals() {
        List<Refusal> found = new ArrayList<>();
        String grantee = RelationName.quote(user);
        if (relation.kind() == Relation.Kind.OTHER) {
            found.add(refuse(ErrorCode.CONFIG_INVALID, "it is no table and no view"));
        }
        relation.members().stream()
                .filter(member -> member.kind() == Relation.Kind.FOREIGN)
                .findFirst()
                .ifPresent(member -> found.add(foreign(member)));
        if (!relation.access().schemaUsage()) {
            String schema = RelationName.quote(relation.name().schema());
            found.add(refuse(
                    ErrorCode.SOURCE_PRIVILEGE_MISSING,
                    "the user may not use its schema (user=" + user + ", missing=USAGE)",
                    "Run as the owner: GRANT USAGE ON SCHEMA " + schema + " TO " + grantee + ";"));
        }
        if (!relation.access().select()) {
            found.add(refuse(
                    ErrorCode.SOURCE_PRIVILEGE_MISSING,
                    "the user may not read it (user=" + user + ", missing=SELECT)",
                    "Run as the owner: GRANT SELECT ON " + relation.name().quoted() + " TO "
                            + grantee + "; a grant of single columns is not enough to lock the"
                            + " table."));
        }
        if (relation.access().hidden()) {
            found.add(refuse(
                    ErrorCode.SOURCE_ROWS_HIDDEN,
                    "its row-level security would hide rows (user=" + user + ")"));
        }
        return found;
    }

    private Refusal foreign(Relation.Member member) {
        return refuse(
                ErrorCode.CONFIG_INVALID,
                "foreign tables are not part of the snapshot (foreign table=" + member.name() + ")",
                "Load it from the database in which it lives.");
    }

    List<UnsupportedColumn> unsupported() {
        return relation.columns().stream()
                .filter(column -> !spec.exclude().contains(column.name()))
                .filter(column -> column.mapping().isEmpty())
                .map(column -> new UnsupportedColumn(column.name(), column.declaredType()))
                .toList();
    }

    /** Against single columns, and against what the spec says of them. */
    List<Refusal> columnRefusals(List<UnsupportedColumn> unsupported) {
        List<Refusal> found = new ArrayList<>();
        for (UnsupportedColumn column : unsupported) {
            String why = column.type().equals("numeric") ? "has no precision" : "is not read";
            found.add(refuse(
                    ErrorCode.SOURCE_TYPE_UNSUPPORTED,
                    "the type of column " + column.name() + " " + why + " (type=" + column.type()
                            + ")"));
        }
        spec.exclude().forEach(name -> checkExists(name, "exclude").ifPresent(found::add));
        spec.policies().forEach((name, policy) -> checkPolicy(name, policy).ifPresent(found::add));
        List<CatalogColumn> left = relation.columns().stream()
                .filter(column -> !spec.exclude().contains(column.name()))
                .toList();
        if (left.isEmpty()) {
            found.add(refuse(ErrorCode.CONFIG_INVALID, "no column is left to read"));
        }
        found.addAll(caseClashes(left));
        return found;
    }

    private Optional<Refusal> checkExists(String name, String key) {
        if (relation.column(name).isPresent()) {
            return Optional.empty();
        }
        List<String> near = NearNames.of(
                name, relation.columns().stream().map(CatalogColumn::name).toList());
        String hint = near.isEmpty()
                ? ErrorCode.SOURCE_COLUMN_NOT_FOUND.hint()
                : "Did you mean " + String.join(" or ", near) + "?";
        return Optional.of(refuse(
                ErrorCode.SOURCE_COLUMN_NOT_FOUND,
                "it has no column " + name + " (named in=" + key + ")",
                hint));
    }

    private Optional<Refusal> checkPolicy(String name, LossPolicy policy) {
        Optional<Refusal> missing = checkExists(name, "policies");
        if (missing.isPresent()) {
            return missing;
        }
        boolean notNull = relation.column(name).map(CatalogColumn::notNull).orElse(false);
        if (policy == LossPolicy.NULL && notNull) {
            return Optional.of(refuse(
                    ErrorCode.CONFIG_INVALID,
                    "policy null of column " + name + " cannot apply, because the column is NOT"
                            + " NULL"));
        }
        if (spec.exclude().contains(name)) {
            return Optional.of(refuse(
                    ErrorCode.CONFIG_INVALID, "column " + name + " is left out and has a policy"));
        }
        return Optional.empty();
    }

    /** The business key must name rows of the table as it is. */
    Optional<Refusal> checkKey(SourceTable table) {
        PartitionKey key = spec.key();
        if (key == null) {
            return Optional.empty();
        }
        String name = key.field().column();
        Optional<Column> column = table.columns().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst();
        if (column.isEmpty()) {
            return spec.exclude().contains(name)
                    ? Optional.of(refuse(
                            ErrorCode.CONFIG_INVALID,
                            "column " + name + " is left out and named in partition-by"))
                    : checkExists(name, "partition-by");
        }
        try {
            key.rows(column.get());
            return Optional.empty();
        } catch (WeirException e) {
            return Optional.of(new Refusal(e.code(), e.text(), e.hint()));
        }
    }

    /** The lake compares names without case. */
    private List<Refusal> caseClashes(List<CatalogColumn> columns) {
        List<Refusal> found = new ArrayList<>();
        Map<String, String> seen = new HashMap<>();
        for (CatalogColumn column : columns) {
            String other = seen.put(column.name().toLowerCase(Locale.ROOT), column.name());
            if (other != null) {
                found.add(refuse(
                        ErrorCode.CONFIG_INVALID,
                        "columns " + other + " and " + column.name() + " differ only in case",
                        "Leave one out with load.exclude, or load a view that renames it."));
            }
        }
        return found;
    }
}
