package io.weir.ledger;

import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.SweepReport;
import io.weir.core.run.Cut;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.RunId;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.database.Database;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.ledger.fsck.Finding;

import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A database of its own: whoever sweeps or delivers there meets the runs of one test class only.
 * Any number of ledgers share it, as processes do.
 */
final class OwnBooks implements AutoCloseable {
    /** Nobody waits after a start; small numbers, so that they are used up soon. */
    static final LedgerSettings SETTINGS = new LedgerSettings(
            LedgerSettings.DEFAULTS.claimLease(),
            3,
            LedgerSettings.DEFAULTS.dispatchLease(),
            LedgerSettings.DEFAULTS.dispatch(),
            3,
            Duration.ZERO,
            LedgerSettings.DEFAULTS.workerRetention(),
            16);

    final BookLedger ledger;
    final Jdbi jdbi;
    private final Database database;

    private OwnBooks(Database database, Jdbi jdbi) {
        this.database = database;
        this.jdbi = jdbi;
        this.ledger = process(SETTINGS);
    }

    static OwnBooks open() {
        return open(TestBooks.newDatabase());
    }

    static OwnBooks open(String name) {
        EmbeddedServer server = TestBooks.server();
        return new OwnBooks(
                Database.open(
                        server.url(name),
                        server.user(),
                        server.password(),
                        SETTINGS.connectionsMax(),
                        SETTINGS.claimLease()),
                TestBooks.jdbi(name));
    }

    /** Another process on the same books. */
    BookLedger process(LedgerSettings settings) {
        return new BookLedger(database.transactions(), settings);
    }

    Transactions transactions() {
        return database.transactions();
    }

    List<Finding> fsck() {
        return database.fsck(SETTINGS.claimsMax());
    }

    RunScript created() {
        return created(RecoveryMode.REISSUE);
    }

    RunScript created(RecoveryMode recovery) {
        return script(RunScript.request("job-" + UUID.randomUUID(), recovery, null));
    }

    private RunScript script(CreateRun request) {
        return RunScript.created(ledger, request);
    }

    /** A run that is in the books already. */
    RunScript found(RunId id) {
        return RunScript.found(ledger, id);
    }

    RunScript extracted() {
        return created().register(1).extract();
    }

    RunScript validating() {
        return extracted().start(Kind.VALIDATE_RUN);
    }

    RunScript validated() {
        return validating().pass();
    }

    /** Runs of one job and one business key that are published together. */
    List<RunScript> cut(int tables) {
        Cut cut = new Cut(UUID.randomUUID(), tables);
        String job = "job-" + cut.id();
        List<RunScript> scripts = new ArrayList<>();
        for (int i = 0; i < tables; i++) {
            scripts.add(script(RunScript.request(job, RecoveryMode.REISSUE, cut)));
        }
        return scripts;
    }

    /** The rules that one sweep applied to the run, in order. */
    List<String> sweep(RunScript script) {
        return rules(ledger.sweep(), script);
    }

    static List<String> rules(SweepReport report, RunScript script) {
        return report.actions().stream()
                .filter(action -> action.runId().equals(script.id))
                .map(SweepReport.Action::rule)
                .toList();
    }

    /** The owner of the current step gives no sign any more. */
    void endLease(RunScript script) {
        TestBooks.endLease(jdbi, "run", "id", script.id.value());
    }

    /** The workers of the running partitions give no sign any more. */
    void endClaims(RunScript script) {
        TestBooks.endLease(jdbi, "partition", "run_id", script.id.value());
    }

    void endHolders(RunScript script) {
        TestBooks.endLease(jdbi, "snapshot_holder", "run_id", script.id.value());
    }

    /** The process that sweeps gives no sign any more. */
    void endSweeper() {
        TestBooks.endLease(jdbi, "loop", "name", "sweeper");
    }

    /** The time that the run has is over. */
    void endTime(RunScript script) {
        update("update weir.run set deadline = clock_timestamp() where id = ?", script.id.value());
    }

    /** Dispatches of the run that are put off become due. */
    void endPause(RunScript script) {
        update(
                "update weir.dispatch set due_at = clock_timestamp()"
                        + " where run_id = ? and state = 'PENDING'",
                script.id.value());
    }

    void update(String sql, @Nullable Object... values) {
        jdbi.useHandle(handle -> handle.execute(sql, values));
    }

    List<String> texts(String sql, Object... values) {
        return jdbi.withHandle(
                handle -> handle.select(sql, values).mapTo(String.class).list());
    }

    @Override
    public void close() {
        database.close();
    }
}
