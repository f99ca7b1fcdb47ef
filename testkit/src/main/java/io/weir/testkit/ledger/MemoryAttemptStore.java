package io.weir.testkit.ledger;

import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.publish.AttemptColumns;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.publish.AttemptStore;
import io.weir.testkit.ledger.MemoryTables.AttemptKey;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of publish attempts in memory. */
public class MemoryAttemptStore implements AttemptStore {
    private final MemoryTables tables;

    public MemoryAttemptStore(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public RowChange insert(AttemptRow row) {
        PublishAttempt attempt = row.attempt();
        tables.checks.require("publish_attempt_of_target", tables.targets.has(attempt.target()));
        tables.checks.require("publish_attempt_of_run", tables.runs.has(attempt.runId()));
        tables.checks.require("publish_attempt_pk", !tables.attempts.has(key(attempt)));
        tables.checks.require(
                "publish_attempt_token_once",
                byToken(attempt.runId(), attempt.token()).isEmpty());
        write(row);
        return AttemptColumns.added(row);
    }

    @Override
    public Optional<RowChange> update(AttemptRow before, AttemptRow after) {
        boolean same = tables.attempts
                .get(key(before.attempt()))
                .filter(now -> now.version() == before.version()
                        && now.attempt().state() == before.attempt().state())
                .isPresent();
        if (!same) {
            return Optional.empty();
        }
        write(after);
        return Optional.of(AttemptColumns.changed(before, after));
    }

    @Override
    public Optional<AttemptRow> lock(String target, long epoch, RunId runId) {
        return tables.attempts
                .get(new AttemptKey(target, epoch))
                .filter(row -> row.attempt().runId().equals(runId));
    }

    @Override
    public Optional<AttemptRow> byToken(RunId runId, UUID token) {
        return tables
                .attempts
                .where(row -> row.attempt().runId().equals(runId)
                        && row.attempt().token().equals(token))
                .stream()
                .findFirst();
    }

    @Override
    public Optional<AttemptRow> unsettledAt(String target) {
        return tables
                .attempts
                .where(row -> row.attempt().target().equals(target) && isUnsettled(row.attempt()))
                .stream()
                .findFirst();
    }

    @Override
    public List<AttemptRow> lockUnsettled(RunId runId) {
        return tables.attempts.where(row -> row.attempt().runId().equals(runId)
                && (row.attempt().state() == AttemptState.STAGED
                        || row.attempt().state() == AttemptState.OPEN));
    }

    @Override
    public List<AttemptRow> ofRun(RunId runId) {
        return tables.attemptsOf(runId).stream()
                .sorted(Comparator.comparingLong(row -> row.attempt().epoch()))
                .toList();
    }

    private void write(AttemptRow row) {
        PublishAttempt attempt = row.attempt();
        tables.checks.attempt(row);
        boolean second = isUnsettled(attempt)
                && unsettledAt(attempt.target())
                        .filter(other -> other.attempt().epoch() != attempt.epoch())
                        .isPresent();
        tables.checks.require("publish_attempt_one_open_per_target", !second);
        tables.attempts.put(key(attempt), row);
        tables.touched.add(attempt.runId());
    }

    private static boolean isUnsettled(PublishAttempt attempt) {
        return attempt.state() == AttemptState.OPEN || attempt.state() == AttemptState.UNKNOWN;
    }

    private static AttemptKey key(PublishAttempt attempt) {
        return new AttemptKey(attempt.target(), attempt.epoch());
    }
}
