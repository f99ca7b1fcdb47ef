package io.weir.app.config;

import io.weir.engine.MergeStrategy;
import io.weir.engine.OutsideColumns;
import io.weir.flow.outsidelog.OutsideLog;
import io.weir.flow.replicate.Initial;
import io.weir.flow.replicate.OutsideJob;
import io.weir.flow.replicate.OutsideTable;
import io.weir.ledger.replica.LogPlace;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Reads the part of a job that replicates from outside logs. */
final class OutsideSection {
    private static final String REPLICATE = "replicate";
    private static final String LOGS = "logs";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private OutsideSection() {}

    /** Whether a job is of this kind, which needs no source. */
    static boolean is(Section section) {
        return section.holds(REPLICATE, LOGS);
    }

    /**
     * The job.
     *
     * @param root what relative directories are relative to
     */
    static OutsideJob read(String name, Section section, Path root) {
        JobFileReader.checkName(name, section);
        Section replicate = section.section(REPLICATE);
        List<OutsideTable> tables = new ArrayList<>();
        replicate.named(LOGS).forEach((table, of) -> {
            tables.add(table(replicate, table, of, root));
            of.done();
        });
        replicate.has("into");
        if (tables.isEmpty()) {
            replicate.problem(LOGS, "has no table");
        }
        ReplicateSection.refuseSameTarget(
                replicate, LOGS, tables.stream().map(OutsideTable::target).toList());
        OutsideJob job = new OutsideJob(
                name,
                tables,
                ReplicateSection.every(section),
                section.choice("merge", MergeStrategy.class, MergeStrategy.ROW_HASH),
                initial(section),
                asOf(section));
        replicate.done();
        section.done();
        return job;
    }

    private static Initial initial(Section section) {
        Initial initial = section.choice("initial", Initial.class, Initial.LOG_ONLY);
        if (initial == Initial.SNAPSHOT) {
            section.problem(
                    "initial",
                    "is \"snapshot\", which needs a source; of outside logs it is log-only or"
                            + " from-table");
            return Initial.LOG_ONLY;
        }
        return initial;
    }

    private static @Nullable LogPlace asOf(Section section) {
        String text = section.text("as-of");
        if (text == null) {
            return null;
        }
        LogPlace place = NUMBER.matcher(text).matches()
                ? new LogPlace(Long.parseLong(text), text)
                : ReplicateSection.position(text);
        if (place == null) {
            section.problem(
                    "as-of",
                    "is \"" + text + "\", must be a position such as 0/16B3748, or a whole number");
        }
        return place;
    }

    private static OutsideTable table(Section replicate, String table, Section of, Path root) {
        OutsideColumns columns = columns(of);
        List<String> key = of.texts("key");
        if (key.isEmpty() && columns.ordinal() == null) {
            of.problem(
                    "key",
                    "is missing; rows without a key need columns.ordinal, which tells equal"
                            + " changes apart");
            columns = withOrdinal(columns);
        }
        return new OutsideTable(
                table,
                new OutsideLog(
                        root.resolve(of.required("directory")).normalize(),
                        columns,
                        key,
                        of.texts("exclude"),
                        of.flag("complete", false)),
                ReplicateSection.into(replicate, table, of),
                JobFileReader.partitionBy(of));
    }

    private static OutsideColumns columns(Section of) {
        Section columns = of.section("columns");
        OutsideColumns read = new OutsideColumns(
                columns.text("op", "op"),
                columns.text("before", "before"),
                columns.text("after", "after"),
                columns.required("position"),
                columns.text("ordinal"),
                columns.text("transaction"),
                columns.text("committed-at"));
        columns.done();
        return read;
    }

    /** So that the rest of the file can be read, too. */
    private static OutsideColumns withOrdinal(OutsideColumns columns) {
        return new OutsideColumns(
                columns.op(),
                columns.before(),
                columns.after(),
                columns.position(),
                Objects.requireNonNullElse(columns.ordinal(), "ordinal"),
                columns.transaction(),
                columns.committedAt());
    }
}
