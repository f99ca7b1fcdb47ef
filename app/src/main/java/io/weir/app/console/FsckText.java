package io.weir.app.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.ledger.fsck.Finding;

import java.util.List;
import java.util.Locale;

/** What {@code weir fsck} prints: a line for each invariant, and what violates it. */
public final class FsckText {
    private static final int ROWS_SHOWN = 10;

    private FsckText() {}

    public static String of(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-13s %s%n",
                    finding.id(),
                    finding.isClean()
                            ? "ok"
                            : violations(finding.rows().size()) + ": " + finding.title()));
            int hidden = finding.rows().size() - ROWS_SHOWN;
            finding.rows().stream()
                    .limit(ROWS_SHOWN)
                    .forEach(row -> text.append("    ").append(row).append('\n'));
            if (hidden > 0) {
                text.append("    and ")
                        .append(Texts.count(hidden))
                        .append(" more; --json shows them\n");
            }
        }
        long broken = findings.stream().filter(finding -> !finding.isClean()).count();
        text.append(
                broken == 0
                        ? "All " + findings.size() + " invariants hold.\n"
                        : broken + " of " + findings.size() + " invariants are broken."
                                + " docs/reference/fsck.md says what each of them means.\n");
        return text.toString();
    }

    /** One document. */
    public static ObjectNode json(List<Finding> findings) {
        ArrayNode invariants = Json.array();
        for (Finding finding : findings) {
            ArrayNode rows = Json.array();
            finding.rows().forEach(rows::add);
            invariants.add(Json.object()
                    .put("id", finding.id())
                    .put("title", finding.title())
                    .put("ok", finding.isClean())
                    .put("violations", finding.rows().size())
                    .set("rows", rows));
        }
        return Json.object()
                .put("ok", findings.stream().allMatch(Finding::isClean))
                .set("invariants", invariants);
    }

    private static String violations(int count) {
        return Texts.count(count) + (count == 1 ? " violation" : " violations");
    }
}
