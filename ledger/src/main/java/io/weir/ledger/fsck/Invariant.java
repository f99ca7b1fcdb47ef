package io.weir.ledger.fsck;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * An invariant as a query that returns what violates it. Its file begins with a comment, up to the
 * first empty line, that says what must hold.
 *
 * @param id the name of the file up to its first hyphen
 * @param title the comment
 * @param sql may name the parameter {@code claims_max}
 */
public record Invariant(String id, String title, String sql) {
    /** Where the queries are; the same below the resources and on the class path. */
    public static final String FOLDER = "db/invariants";

    /** In the order in which they are shown. S1 and up are the constraints of one table each. */
    static final List<String> FILES = List.of(
            "I1-one-active-run-per-key",
            "I2-legal-transitions",
            "I3-claim-epochs",
            "I4-reports-of-the-owner",
            "I5-chunks-count-once",
            "I6-partitions-are-complete",
            "I7-one-epoch-counts",
            "I8-extracted-is-everything",
            "I9-steps-are-asked-for-once",
            "I10-open-steps-are-needed",
            "I11-one-owner-per-step",
            "I12-staging-is-proven",
            "I13-earlier-attempts-are-out",
            "I14-one-open-attempt-per-target",
            "I15-publish-order",
            "I16-unknown-ends-by-evidence",
            "I17-success-is-proven",
            "I18-manifest-never-changes",
            "I21-one-run-per-request",
            "I26-claims-are-bounded",
            "I27-paths-are-fenced",
            "C1-cut-is-published-whole",
            "C2-cut-succeeds-whole",
            "O1-outside-extracted-is-everything",
            "O2-outside-gates-are-proven",
            "O3-outside-unknown-ends-by-a-person",
            "O4-journal-is-unbroken",
            "O5-outside-states-are-in-the-journal",
            "O6-outside-steps-are-needed",
            "S1-run",
            "S2-partition",
            "S3-chunk",
            "S4-metric",
            "S5-dispatch",
            "S6-target",
            "S7-publish_attempt",
            "S8-event",
            "S9-snapshot_holder",
            "S10-worker",
            "S11-loop",
            "S12-outside_run",
            "S13-outside_partition",
            "S14-outside_chunk",
            "S15-outside_metric",
            "S16-outside_dispatch",
            "S17-outside_event",
            "S18-api_token",
            "S19-audit",
            "S20-lineage",
            "S21-lineage_start",
            "S22-stream_transaction",
            "S30-replication",
            "S31-replica",
            "S32-replica_window",
            "S33-replica_cut",
            "S34-replica_event",
            "S35-alert",
            "S36-alert_channel",
            "S37-alert_run",
            "S38-replica_file",
            "R1-windows-are-chained",
            "R2-published-windows-are-balanced");

    /** Every invariant that is a query. */
    public static List<Invariant> all() {
        return FILES.stream().map(Invariant::read).toList();
    }

    private static Invariant read(String file) {
        String sql = text("/" + FOLDER + "/" + file + ".sql");
        String title = sql.lines()
                .takeWhile(line -> !line.isBlank())
                .map(line -> line.replaceFirst("^-- ?", ""))
                .collect(Collectors.joining(" "));
        return new Invariant(file.substring(0, file.indexOf('-')), title, sql);
    }

    private static String text(String resource) {
        try (InputStream stream =
                Objects.requireNonNull(Invariant.class.getResourceAsStream(resource), resource)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + resource, e);
        }
    }
}
