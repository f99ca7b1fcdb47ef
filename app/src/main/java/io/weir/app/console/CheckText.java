package io.weir.app.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.certificate.Certificate;
import io.weir.core.json.Json;
import io.weir.core.route.PartitionKey;
import io.weir.core.row.Column;
import io.weir.flow.load.LoadCheck;
import io.weir.source.Refusal;
import io.weir.source.ServerFacts;
import io.weir.source.SourceTable;
import io.weir.source.TableInspection;
import io.weir.table.TablePlan;

import java.util.List;
import java.util.Locale;

/** What {@code weir check} says about one job. */
public final class CheckText {
    private final StringBuilder text = new StringBuilder();
    private final LoadCheck check;

    private CheckText(LoadCheck check) {
        this.check = check;
    }

    public static String of(LoadCheck check) {
        CheckText text = new CheckText(check);
        text.source();
        text.columns();
        text.target();
        text.statements();
        text.refusals();
        return text.text.toString();
    }

    private void source() {
        TableInspection inspection = check.inspection();
        ServerFacts server = inspection.server();
        line("JOB " + check.job().name() + ": " + check.job().table().table() + " into "
                + check.job().target());
        fact(
                "source",
                check.job().source()
                        + ", PostgreSQL "
                        + server.version()
                        + ", "
                        + Certificate.word(server.role()));
        fact("relation", inspection.relationKind());
        inspection.privileges().forEach(privilege -> fact("privilege", privilege));
        fact("row security", Certificate.word(inspection.rowSecurity()));
        LoadCheck.Snapshot snapshot = check.snapshot();
        if (snapshot != null) {
            String position = snapshot.position() == null ? "" : " at " + snapshot.position();
            fact(
                    "snapshot",
                    snapshot.token().kind() + position + ", "
                            + snapshot.consistency().label());
        }
        fact(
                "estimate",
                Texts.count(inspection.estimatedRows())
                        + " rows, "
                        + Texts.bytes(inspection.estimatedBytes())
                        + " at the source");
        inspection.notes().forEach(note -> fact("note", note));
    }

    private void columns() {
        SourceTable table = check.inspection().table();
        if (table == null) {
            return;
        }
        TextTable columns = new TextTable(
                List.of("column", "source type", "lake type", "nulls", "if not holdable"), "  ");
        for (Column column : table.columns()) {
            columns.add(List.of(
                    column.name(),
                    column.sourceType(),
                    column.type().toString(),
                    column.required() ? "no" : "yes",
                    Certificate.word(column.policy())));
        }
        line("columns");
        text.append(columns);
        fact(
                "key",
                table.primaryKey().isEmpty()
                        ? "none: equal rows may repeat, duplicates are not checked"
                        : String.join(", ", table.primaryKey()));
    }

    private void target() {
        TablePlan plan = check.plan();
        if (plan == null) {
            return;
        }
        String action = switch (plan.action()) {
            case CREATE -> "will be created";
            case MATCH -> "exists and matches";
            case MISMATCH -> "exists and does not match";
        };
        fact("target", check.job().target() + " " + action + " (" + plan.location() + ")");
        plan.differences().forEach(difference -> fact("difference", difference));
        fact(
                "partition-by",
                plan.partitionBy().isPartitioned()
                        ? plan.partitionBy() + ": rows of one file have equal values of these"
                        : "nothing");
        String effect = switch (check.job().publish()) {
            case REPLACE -> "the rows take the place of all rows of the table";
            case APPEND -> "the rows are added to those of the table";
            case REPLACE_PARTITIONS ->
                "the rows take the place of those where " + keyed() + "; only such are read";
        };
        fact(
                "publish",
                Certificate.word(check.job().publish())
                        + ": staged on a branch, audited, then one fast-forward of main; "
                        + effect);
        fact("verify", Certificate.word(check.job().verify()));
    }

    private String keyed() {
        PartitionKey key = check.job().table().key();
        return key == null ? "" : key.field() + " is " + key.text();
    }

    private void statements() {
        if (check.statements().isEmpty()) {
            return;
        }
        line("partitions");
        int number = 0;
        for (String statement : check.statements()) {
            line(String.format(Locale.ROOT, "  %04d  %s", number++, statement));
        }
    }

    private void refusals() {
        for (Refusal refusal : check.inspection().refusals()) {
            fact("REFUSED", refusal.message());
            fact("", "Hint: " + refusal.hint());
        }
    }

    /** The same facts for programs. */
    public static ObjectNode json(LoadCheck check) {
        TableInspection inspection = check.inspection();
        ObjectNode json = Json.object();
        json.put("job", check.job().name());
        json.put("ok", check.refusal().isEmpty());
        json.put("source", check.job().source());
        json.put("table", check.job().table().table());
        json.put("target", check.job().target());
        json.put("publish", Certificate.word(check.job().publish()));
        json.put("server_version", inspection.server().version());
        json.put("estimated_rows", inspection.estimatedRows());
        json.put("estimated_bytes", inspection.estimatedBytes());
        LoadCheck.Snapshot snapshot = check.snapshot();
        json.put("consistency", snapshot == null ? null : snapshot.consistency().label());
        TablePlan plan = check.plan();
        json.put("target_action", plan == null ? null : Certificate.word(plan.action()));
        json.put("partition_by", plan == null ? null : plan.partitionBy().toString());
        PartitionKey key = check.job().table().key();
        json.put("partition_key", key == null ? null : key.text());
        ArrayNode columns = json.putArray("columns");
        if (inspection.table() != null) {
            for (Column column : inspection.table().columns()) {
                columns.addObject()
                        .put("name", column.name())
                        .put("source_type", column.sourceType())
                        .put("type", column.type().toString())
                        .put("required", column.required())
                        .put("policy", Certificate.word(column.policy()));
            }
        }
        ArrayNode statements = json.putArray("statements");
        check.statements().forEach(statements::add);
        ArrayNode refusals = json.putArray("refusals");
        for (Refusal refusal : inspection.refusals()) {
            refusals.addObject()
                    .put("code", refusal.code().name())
                    .put("message", refusal.message());
        }
        if (plan != null) {
            plan.differences()
                    .forEach(difference -> refusals.addObject().put("message", difference));
        }
        return json;
    }

    private void fact(String name, String value) {
        line(String.format(Locale.ROOT, "  %-12s %s", name, value));
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
