package io.weir.app.config;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.PartitionKey;
import io.weir.core.row.LossPolicy;
import io.weir.core.run.RecoveryMode;
import io.weir.flow.load.LoadJob;
import io.weir.flow.load.LoadSettings;
import io.weir.flow.replicate.ReplicatedJob;
import io.weir.source.TableSpec;

import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a job file; {@code docs/reference/config.md} lists every key. */
public final class JobFileReader {
    private static final String EMBEDDED = "embedded";
    /** A pause of a healthy process must not pass for its end. */
    private static final Duration LEASE_MIN = Duration.ofSeconds(2);

    private static final Pattern WEB = Pattern.compile("(?i)https?://");
    static final Pattern TARGET = Pattern.compile("[a-z0-9_]+(\\.[a-z0-9_]+)+");
    static final Pattern JOB_NAME = Pattern.compile("[A-Za-z0-9_-]{1,200}");

    private JobFileReader() {}

    /**
     * Reads the file.
     *
     * @throws WeirException {@link ErrorCode#CONFIG_NOT_FOUND}; {@link ErrorCode#CONFIG_INVALID} or
     *     {@link ErrorCode#CONFIG_UNKNOWN_KEY} with every problem, each with line and column
     */
    public static JobFile read(Path path) {
        Problems problems = new Problems(path);
        Section root = new Section("", compose(path), problems);
        ServedConfig served = served(root);
        DatabaseConfig ledger = served == null ? ledger(root) : null;
        Duration lease = lease(root);
        Section lake = root.section("lake");
        Path warehouse = directoryOf(path).resolve(lake.required("warehouse")).normalize();
        DatabaseConfig catalog = lake.has("catalog") ? database(lake.section("catalog")) : null;
        lake.done();
        String lineage = root.text("lineage");
        AlertConfig alerts = root.has("alerts") ? alerts(root.section("alerts")) : AlertConfig.NONE;
        Map<String, DatabaseConfig> sources = new LinkedHashMap<>();
        Map<String, Section> named = root.named("jobs");
        if (root.has("sources") || !named.values().stream().allMatch(OutsideSection::is)) {
            root.named("sources").forEach((name, section) -> sources.put(name, database(section)));
        }
        Map<String, List<LoadJob>> jobs = new LinkedHashMap<>();
        Map<String, ReplicatedJob> replications = new LinkedHashMap<>();
        named.forEach((name, section) -> {
            if (OutsideSection.is(section)) {
                replications.put(name, OutsideSection.read(name, section, directoryOf(path)));
            } else if (section.has("replicate")) {
                replications.put(name, ReplicateSection.read(name, section, sources.keySet()));
            } else {
                jobs.put(name, job(name, section, sources));
            }
        });
        if (jobs.isEmpty() && replications.isEmpty() && root.isSection("jobs")) {
            root.problem("jobs", "has no job");
        }
        root.done();
        if (served != null && lineage != null) {
            root.problem("lineage", "is told by the server that keeps the ledger; name it there");
        }
        if (served != null && root.has("alerts")) {
            root.problem("alerts", "are told by the server that keeps the ledger; name them there");
        }
        problems.throwIfAny();
        return new JobFile(
                path,
                ledger,
                served,
                lease,
                warehouse,
                catalog,
                lineage,
                alerts,
                sources,
                jobs,
                replications);
    }

    /** The directory that relative paths of a job file are relative to. */
    public static Path directoryOf(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    private static Node compose(Path path) {
        org.snakeyaml.engine.v2.api.LoadSettings settings =
                org.snakeyaml.engine.v2.api.LoadSettings.builder()
                        .setLabel(path.toString())
                        .build();
        try {
            Optional<Node> node = new Compose(settings).composeString(Files.readString(path));
            return node.orElseThrow(() -> new WeirException(
                    ErrorCode.CONFIG_INVALID, "Cannot read job file " + path + ": it is empty"));
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.CONFIG_NOT_FOUND,
                    "Cannot read job file " + path + ": no such file, or not readable",
                    e);
        } catch (YamlEngineException e) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot read job file " + path + ": not YAML: " + e.getMessage(),
                    e);
        }
    }

    /** Null if the ledger is a database. */
    private static @Nullable ServedConfig served(Section root) {
        if (!root.isSection("ledger")) {
            String url = root.text("ledger", EMBEDDED);
            return WEB.matcher(url).lookingAt() ? new ServedConfig(url, null, null) : null;
        }
        Section section = root.section("ledger");
        String url = section.text("url");
        if (url == null || !WEB.matcher(url).lookingAt()) {
            return null;
        }
        ServedConfig served = new ServedConfig(url, section.text("token"), section.text("ca"));
        section.done();
        return served;
    }

    private static @Nullable DatabaseConfig ledger(Section root) {
        if (root.isSection("ledger")) {
            return database(root.section("ledger"));
        }
        String ledger = root.text("ledger", EMBEDDED);
        if (ledger.equals(EMBEDDED)) {
            return null;
        }
        if (!ledger.startsWith("jdbc:postgresql:")) {
            root.problem(
                    "ledger",
                    "must be embedded, or a URL that starts with jdbc:postgresql:, http:// or"
                            + " https://");
        }
        return new DatabaseConfig(ledger, null, null);
    }

    private static Duration lease(Section root) {
        Duration lease = root.duration("lease", LoadSettings.LEASE_DEFAULT);
        if (lease.compareTo(LEASE_MIN) < 0) {
            root.problem("lease", "is " + lease.toSeconds() + "s, must be 2s or more");
        }
        return lease;
    }

    private static AlertConfig alerts(Section section) {
        AlertConfig alerts = new AlertConfig(
                section.text("slack"), section.text("webhook"), section.texts("hosts"));
        if (alerts.slack() == null && alerts.webhook() == null) {
            section.problem("", "names neither slack nor webhook");
        }
        section.done();
        return alerts;
    }

    private static DatabaseConfig database(Section section) {
        DatabaseConfig database = new DatabaseConfig(
                section.required("url"), section.text("user"), section.text("password"));
        section.done();
        return database;
    }

    private static List<LoadJob> job(
            String name, Section section, Map<String, DatabaseConfig> sources) {
        checkName(name, section);
        PublishMode publish =
                section.requiredChoice("publish", PublishMode.class, PublishMode.APPEND);
        Section load = section.section("load");
        String source = load.required("source");
        if (load.has("source") && !sources.containsKey(source)) {
            load.problem(
                    "source",
                    "is \"" + source + "\", must be one of the sources: "
                            + String.join(", ", sources.keySet()));
        }
        Terms terms = new Terms(
                name,
                source,
                publish,
                load.choice("verify", MetricPlan.Verify.class, MetricPlan.Verify.METRICS),
                load.flag("allow-empty", true),
                load.size("partition-size", LoadJob.PARTITION_BYTES_DEFAULT),
                load.size("chunk-size", LoadJob.CHUNK_BYTES_DEFAULT),
                partitionBy(section),
                load.choice("recovery", RecoveryMode.class, RecoveryMode.REISSUE),
                load.duration("timeout", LoadJob.TIMEOUT_DEFAULT),
                load.flag("row-hash", false));
        List<LoadJob> tables = new ArrayList<>();
        if (load.has("tables")) {
            load.named("tables").forEach((table, of) -> {
                tables.add(table(terms, table, of));
                of.done();
            });
            if (tables.isEmpty()) {
                load.problem("tables", "has no table");
            }
        } else {
            tables.add(table(terms, load.required("table"), load));
        }
        boolean shared = section.has("partition-by")
                || tables.stream().anyMatch(of -> !of.partitionBy().isPartitioned());
        if (shared && publish == PublishMode.REPLACE_PARTITIONS) {
            checkKeyed(section, terms.partitionBy());
        }
        refuseSameTarget(load, tables);
        load.done();
        section.done();
        return List.copyOf(tables);
    }

    /** What the tables of a job have in common. */
    private record Terms(
            String name,
            String source,
            PublishMode publish,
            MetricPlan.Verify verify,
            boolean allowEmpty,
            long partitionBytes,
            long chunkBytes,
            PartitionBy partitionBy,
            RecoveryMode recovery,
            Duration timeout,
            boolean rowHash) {}

    private static LoadJob table(Terms terms, String table, Section section) {
        String into = section.required("into");
        if (section.has("into") && !TARGET.matcher(into).matches()) {
            section.problem(
                    "into",
                    "is \"" + into + "\", must be namespace.table in lower-case letters,"
                            + " digits and _");
        }
        boolean own = section.has("partition-by");
        PartitionBy partitionBy = own ? partitionBy(section) : terms.partitionBy();
        if (own && terms.publish() == PublishMode.REPLACE_PARTITIONS) {
            checkKeyed(section, partitionBy);
        }
        return new LoadJob(
                terms.name(),
                terms.source(),
                new TableSpec(
                        table,
                        section.texts("exclude"),
                        section.choices("policies", LossPolicy.class, LossPolicy.FAIL)),
                into,
                terms.publish(),
                terms.verify(),
                terms.allowEmpty(),
                terms.partitionBytes(),
                terms.chunkBytes(),
                partitionBy,
                terms.recovery(),
                terms.timeout(),
                terms.rowHash());
    }

    static void checkName(String name, Section section) {
        if (!JOB_NAME.matcher(name).matches()) {
            section.problem("", "is no job name: letters, digits, _ and - only");
        }
    }

    private static void refuseSameTarget(Section load, List<LoadJob> tables) {
        Set<String> targets = new HashSet<>();
        for (LoadJob table : tables) {
            if (!targets.add(table.target())) {
                load.problem("tables", "names the target " + table.target() + " twice");
            }
        }
    }

    static PartitionBy partitionBy(Section section) {
        String text = section.joined("partition-by");
        if (text == null) {
            if (section.has("partition-by")) {
                section.problem("partition-by", "must name at least one field");
            }
            return PartitionBy.NOTHING;
        }
        try {
            return PartitionBy.parse(text);
        } catch (IllegalArgumentException e) {
            section.problem("partition-by", String.valueOf(e.getMessage()));
            return PartitionBy.NOTHING;
        }
    }

    /** A business key must be able to say which partition is replaced. */
    private static void checkKeyed(Section section, PartitionBy partitionBy) {
        if (!section.has("partition-by")) {
            section.problem("publish", "is replace-partitions, which needs partition-by");
        } else if (partitionBy.isPartitioned() && !PartitionKey.canName(partitionBy.first())) {
            section.problem(
                    "partition-by",
                    "begins with " + partitionBy.first() + ", of which a business key cannot name a"
                            + " value; publish: replace-partitions needs a bare column, or year,"
                            + " month, day or hour first");
        }
    }
}
