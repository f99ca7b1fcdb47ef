package io.weir.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Goal: no constraint of the schema is forgotten in memory. Method: names in both texts. */
class MemoryConstraintsTest {
    private static final Path ROOT = Path.of(System.getProperty("weir.root"));
    private static final Path MIGRATIONS =
            ROOT.resolve("ledger/src/main/resources/db/migration/weir");
    private static final Path STORES = ROOT.resolve("testkit/src/main/java/io/weir/testkit/ledger");
    private static final Pattern NAMED =
            Pattern.compile("(?:(?<!drop )constraint|create unique index) ([a-z0-9_]+)");

    /** Tables that only a server writes have no stores in memory. */
    private static final Set<String> WITHOUT_TWINS = Set.of(
            "V020__outside.sql",
            "V021__access.sql",
            "V022__outside_at_speed.sql",
            "V023__lineage.sql",
            "V030__replica.sql",
            "V031__alert.sql",
            "V032__replica_file.sql",
            "V033__stop_facts.sql",
            "V034__operations.sql");

    /** Why a constraint needs no twin. */
    private static final Map<String, String> LEFT_OUT = Map.ofEntries(
            Map.entry("event_pk", "Sequences are drawn in order."),
            Map.entry("loop_pk", "The map has one row for each key."),
            Map.entry("metric_pk", "The map has one row for each key."),
            Map.entry("run_pk", "The map has one row for each key."),
            Map.entry("snapshot_holder_pk", "The map has one row for each key."),
            Map.entry("target_pk", "The map has one row for each key."),
            Map.entry("worker_pk", "The map has one row for each key."),
            Map.entry("stream_transaction_pk", "The map has one row for each key."),
            Map.entry("run_state_known", "An enum."),
            Map.entry("run_publish_mode_known", "An enum."),
            Map.entry("run_recovery_known", "An enum."),
            Map.entry("partition_state_known", "An enum."),
            Map.entry("chunk_state_known", "An enum."),
            Map.entry("chunk_path_once", "The file of a chunk follows from its key."),
            Map.entry("stream_transaction_state_known", "An enum."),
            Map.entry("metric_stage_known", "An enum."),
            Map.entry("dispatch_kind_known", "An enum."),
            Map.entry("dispatch_state_known", "An enum."),
            Map.entry("publish_attempt_state_known", "An enum."),
            Map.entry("run_digest_sum_is_128_bits", "A balance has 128 bits."),
            Map.entry("partition_digest_sum_is_128_bits", "A balance has 128 bits."),
            Map.entry("chunk_digest_sum_is_128_bits", "A balance has 128 bits."),
            Map.entry("partition_id_form", "The type checks its form."),
            Map.entry("partition_null_range_has_no_bounds", "The type checks its form."),
            Map.entry("partition_bounds_are_typed", "A bound has both."));

    @Test
    void everyConstraintIsHeldInMemoryOrNeedsNone() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (Path migration : files(MIGRATIONS)) {
            if (WITHOUT_TWINS.contains(migration.getFileName().toString())) {
                continue;
            }
            Matcher matcher = NAMED.matcher(Files.readString(migration));
            while (matcher.find()) {
                names.add(matcher.group(1));
            }
        }
        StringBuilder code = new StringBuilder();
        for (Path store : files(STORES)) {
            code.append(Files.readString(store));
        }
        TreeSet<String> forgotten = new TreeSet<>(names);
        forgotten.removeIf(name -> code.indexOf("\"" + name + "\"") >= 0);

        assertThat(names).hasSizeGreaterThan(50);
        assertThat(forgotten).isEqualTo(new TreeSet<>(LEFT_OUT.keySet()));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
