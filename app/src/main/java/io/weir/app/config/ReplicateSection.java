package io.weir.app.config;

import io.weir.capture.CaptureSpec;
import io.weir.core.route.PartitionBy;
import io.weir.engine.MergeStrategy;
import io.weir.flow.replicate.Initial;
import io.weir.flow.replicate.ReplicateJob;
import io.weir.flow.replicate.ReplicateTable;
import io.weir.flow.replicate.ReplicatedJob;
import io.weir.ledger.replica.LogPlace;
import io.weir.source.TableSpec;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the part of a job that replicates. */
final class ReplicateSection {
    private static final String CONTINUOUS = "continuous";
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9_]+");
    private static final Pattern SLOT = Pattern.compile("[a-z0-9_]{1,63}");
    private static final Pattern POSITION =
            Pattern.compile("([0-9A-F]{1,8})/([0-9A-F]{1,8})", Pattern.CASE_INSENSITIVE);
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.]+");

    private ReplicateSection() {}

    static ReplicateJob read(String name, Section section, Set<String> sources) {
        JobFileReader.checkName(name, section);
        Section replicate = section.section("replicate");
        String source = replicate.required("source");
        if (replicate.has("source") && !sources.contains(source)) {
            replicate.problem(
                    "source",
                    "is \"" + source + "\", must be one of the sources: "
                            + String.join(", ", sources));
        }
        String plain = "weir_" + name.toLowerCase(Locale.ROOT).replace('-', '_');
        String slot = replicate.text("slot", plain);
        if (!SLOT.matcher(slot).matches()) {
            replicate.problem("slot", "must be of lower-case letters, digits and _, 63 at most");
        }
        ReplicateJob job = new ReplicateJob(
                name,
                source,
                tables(replicate),
                replicate.text("publication", plain),
                slot,
                every(section),
                section.choice("merge", MergeStrategy.class, MergeStrategy.ROW_HASH),
                section.choice("initial", Initial.class, Initial.SNAPSHOT),
                asOf(section),
                asOfTime(section),
                replicate.size("slot-size", CaptureSpec.SLOT_BYTES_MAX),
                section.count("cuts", ReplicateJob.CUTS_KEPT_DEFAULT),
                lagMax(section));
        replicate.done();
        section.done();
        return job;
    }

    /** Only where rows are there already the job file may say where they are. */
    private static @Nullable LogPlace asOf(Section section) {
        String text = section.text("as-of");
        if (text == null) {
            return null;
        }
        LogPlace place = position(text);
        if (place == null && time(text) == null) {
            section.problem(
                    "as-of",
                    "is \"" + text + "\", must be a position such as 0/16B3748, or a time with"
                            + " its zone such as 2026-11-30T10:00:00Z");
        }
        return place;
    }

    private static @Nullable Instant asOfTime(Section section) {
        String text = section.text("as-of");
        return text == null ? null : time(text);
    }

    private static @Nullable Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** A position as PostgreSQL writes it; null if it is none. */
    static @Nullable LogPlace position(String text) {
        Matcher matcher = POSITION.matcher(text);
        return matcher.matches()
                ? new LogPlace(
                        (Long.parseLong(matcher.group(1), 16) << 32)
                                + Long.parseLong(matcher.group(2), 16),
                        text)
                : null;
    }

    static Duration every(Section section) {
        return CONTINUOUS.equals(section.text("every"))
                ? Duration.ZERO
                : section.duration("every", ReplicatedJob.EVERY_DEFAULT);
    }

    /** Between two windows every table is behind: that is no lateness. */
    private static @Nullable Duration lagMax(Section section) {
        if (!section.has("lag-max")) {
            return null;
        }
        Duration every = every(section);
        Duration max = section.duration("lag-max", every.plusSeconds(1));
        if (max.compareTo(every) <= 0) {
            section.problem(
                    "lag-max",
                    "is \"" + section.text("lag-max") + "\", must be longer than every, which is "
                            + every.toSeconds() + "s");
        }
        return max;
    }

    private static List<ReplicateTable> tables(Section replicate) {
        List<ReplicateTable> tables = new ArrayList<>();
        if (!replicate.has("tables")) {
            replicate.required("tables");
        } else if (replicate.isSection("tables")) {
            replicate.named("tables").forEach((table, of) -> {
                tables.add(table(replicate, table, of));
                of.done();
            });
            replicate.has("into");
        } else {
            String into = replicate.required("into");
            if (replicate.has("into") && !NAMESPACE.matcher(into).matches()) {
                replicate.problem("into", "must be a namespace in lower-case letters, digits, _");
            }
            for (String table : replicate.texts("tables")) {
                tables.add(new ReplicateTable(
                        TableSpec.of(table), target(replicate, into, table), PartitionBy.NOTHING));
            }
        }
        if (tables.isEmpty() && replicate.has("tables")) {
            replicate.problem("tables", "has no table");
        }
        refuseSameTarget(
                replicate, "tables", tables.stream().map(ReplicateTable::target).toList());
        return tables;
    }

    private static ReplicateTable table(Section replicate, String table, Section of) {
        return new ReplicateTable(
                new TableSpec(table, of.texts("exclude"), Map.of()),
                into(replicate, table, of),
                JobFileReader.partitionBy(of));
    }

    /** The target of a table that has a section. */
    static String into(Section replicate, String table, Section of) {
        String into = of.has("into")
                ? of.required("into")
                : target(replicate, replicate.required("into"), table);
        if (!JobFileReader.TARGET.matcher(into).matches()) {
            of.problem(
                    "into",
                    "is \"" + into + "\", must be namespace.table in lower-case letters,"
                            + " digits and _");
        }
        return into;
    }

    /** A table without a target of its own has its name in the namespace of the job. */
    static String target(Section replicate, String into, String table) {
        if (!PLAIN.matcher(table).matches()) {
            replicate.problem(
                    "tables",
                    "has " + table + ", which is no name in the lake; write tables as a mapping"
                            + " and give it an into of its own");
        }
        return into + "." + table.substring(table.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    static void refuseSameTarget(Section replicate, String key, List<String> targets) {
        Set<String> known = new HashSet<>();
        for (String target : targets) {
            if (!known.add(target)) {
                replicate.problem(key, "names the target " + target + " twice");
            }
        }
    }
}
