package io.weir.app.command;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of {@code weir ingest}, and how it is made where there is none. */
final class TableOptions {
    private static final Pattern COLUMN =
            Pattern.compile("\\s*([^\\s,()]+)\\s+([a-z][a-z ]*(?:\\([0-9, ]+\\))?)\\s*(?:,|$)");

    @Option(
            names = "--table",
            required = true,
            paramLabel = "NAMESPACE.TABLE",
            description = "Where the rows go.")
    private String target = "";

    @Option(
            names = "--create",
            paramLabel = "COLUMNS",
            description = "Create the table where there is none, with these columns: \"id int, msg"
                    + " string, day date\", in Iceberg's types.")
    private @Nullable String columns;

    @Option(
            names = "--partition-by",
            paramLabel = "FIELDS",
            description = "Partitions of a table that is created, such as \"continent, day(ts)\".")
    private @Nullable String partitionBy;

    String target() {
        return target;
    }

    String database() {
        return target.substring(0, Math.max(0, target.lastIndexOf('.')));
    }

    String name() {
        return target.substring(target.lastIndexOf('.') + 1);
    }

    LakeTable open(LakeCatalog catalog) {
        if (columns == null) {
            return catalog.load(target);
        }
        try {
            PartitionBy by =
                    partitionBy == null ? PartitionBy.NOTHING : PartitionBy.parse(partitionBy);
            return catalog.prepare(target, parse(columns), List.of(), by);
        } catch (IllegalArgumentException e) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot create table " + target + ": " + e.getMessage(),
                    "Write columns as name type, with a comma between them.",
                    e);
        }
    }

    private static List<Column> parse(String text) {
        List<Column> parsed = new ArrayList<>();
        Matcher matcher = COLUMN.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new IllegalArgumentException(
                        "no column begins at \"" + text.substring(at) + "\"");
            }
            Type type =
                    Types.fromPrimitiveString(matcher.group(2).strip().toLowerCase(Locale.ROOT));
            parsed.add(
                    new Column(0, matcher.group(1), type.toString(), type, false, LossPolicy.FAIL));
            at = matcher.end();
        }
        return parsed;
    }
}
