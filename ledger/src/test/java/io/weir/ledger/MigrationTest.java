package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Chunk;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.embedded.EmbeddedServer;

import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Goal: books of the version before steps had owners go on. Method: a schema of that time, a run in
 * each state as that version left it, then the migrations since.
 */
class MigrationTest {
    private static final String RUN = """
            insert into weir.run (
                id, job, business_key, state, version, idempotency_key, fingerprint, source,
                source_table, target, publish_mode, allow_empty, data_path, lease_ms, lease_until,
                column_names, key_columns, manifest_digest, snapshot_kind, snapshot_text,
                source_count, partition_count, succeeded_partitions, extracted_rows,
                extracted_digest_sum, losses, auditor, published_snapshot_id, created_at,
                published_at, ended_at)
            select :id, :state, '2026-11-29', :state, 7, :state, '[]', 'shop', 'public.orders',
                'sales.' || :state, 'REPLACE', false, 'file:///lake/run', 120000, now,
                array['id'], array['id'], 'digest', 'postgresql-snapshot', '00000003-1', 10, 1, 1,
                10, 5, '{}', :auditor, case when :published then 9 end, now,
                case when :published then now end, case when :ended then now end
            from (select clock_timestamp() as now)
            """;

    private static final String DISPATCH = """
            insert into weir.dispatch (
                id, run_id, kind, cycle, state, attempts, created_at, acknowledged_at)
            select gen_random_uuid(), :id, 'VALIDATE_RUN', 1, :state, 0, now,
                case when :state = 'ACKED' then now end
            from (select clock_timestamp() as now)
            """;

    private static final String TARGET = """
            insert into weir.target (name, epoch) values ('sales.' || :state, 1)
            """;

    private static final String ATTEMPT = """
            insert into weir.publish_attempt (
                target, epoch, run_id, token, state, version, base_snapshot_id,
                staged_snapshot_id, evidence)
            values ('sales.' || :run, 1, :id, gen_random_uuid(), :state, 1, 100, 200,
                case when :state in ('UNKNOWN', 'PUBLISHED') then 'seen' end)
            """;

    private static final String PARTITION = """
            insert into weir.partition (
                run_id, id, ordinal, is_null, state, version, epoch, token, progress_rows,
                progress_bytes, chunk_count, bytes, rows, digest_sum, ended_at)
            values (:id, '0000', 0, false, 'SUCCESS', 3, 2, gen_random_uuid(), 0, 0, 2, 30, 10, 5,
                clock_timestamp())
            """;

    private static final String CHUNK = """
            insert into weir.chunk (
                run_id, partition_id, epoch, chunk_index, path, bytes, rows, digest_sum, losses,
                last, state)
            values (:id, '0000', :epoch, :index,
                'file:///lake/run/p=0000/e=' || :epoch || '/0000-' || :name || '.parquet',
                10 + 10 * :index % 20, 5, 3, '{}', false, 'WRITTEN')
            """;

    /** What that version wrote about a row, in one event. */
    private static final String EVENTS = """
            insert into weir.event (at, run_id, name, details)
            select clock_timestamp(), id, 'RUN_CREATED', jsonb_build_object('run', to_jsonb(r))
            from weir.run r
            union all
            select clock_timestamp(), run_id, 'RUN_EXTRACTED',
                jsonb_build_object('dispatch/' || kind || '/' || cycle, to_jsonb(d))
            from weir.dispatch d
            union all
            select clock_timestamp(), run_id, 'ATTEMPT_CREATED',
                jsonb_build_object(
                    'attempt/' || target || '/' || epoch, to_jsonb(a),
                    'target/' || target, jsonb_build_object('name', target, 'epoch', 1))
            from weir.publish_attempt a
            union all
            select clock_timestamp(), run_id, 'PARTITION_SUCCEEDED',
                jsonb_build_object('partition/' || id, to_jsonb(p))
            from weir.partition p
            union all
            select clock_timestamp(), run_id, 'CHUNKS_REPORTED',
                jsonb_build_object(
                    'chunk/' || partition_id || '/' || epoch || '/' || chunk_index,
                    to_jsonb(c) - 'run_id' - 'partition_id' - 'epoch' - 'chunk_index')
            from weir.chunk c
            """;

    /** The audit has begun. */
    private static final Set<RunState> STAGED = EnumSet.of(
            RunState.STAGE_VALIDATING,
            RunState.STAGING_VALIDATED,
            RunState.PUBLISHING,
            RunState.PUBLISH_UNKNOWN,
            RunState.PUBLISHED,
            RunState.SUCCESS,
            RunState.FAILED_STAGE_VALIDATION,
            RunState.FAILED_PUBLISH,
            RunState.FAILED_TARGET_VALIDATION);

    private final Map<RunState, RunId> runs = new EnumMap<>(RunState.class);
    private @Nullable OwnBooks opened;

    @BeforeEach
    void migrate() {
        opened = OwnBooks.open(old());
    }

    /** A database as that version left it. */
    private String old() {
        String name = TestBooks.newDatabase();
        EmbeddedServer server = TestBooks.server();
        Flyway.configure()
                .dataSource(server.url(name), server.user(), server.password())
                .schemas("weir")
                .table("migration")
                .locations("classpath:db/migration/weir")
                .target("7")
                .load()
                .migrate();
        TestBooks.jdbi(name).useHandle(this::fill);
        return name;
    }

    @AfterEach
    void close() {
        books().close();
    }

    private OwnBooks books() {
        OwnBooks books = opened;
        if (books == null) {
            throw new AssertionError("not migrated");
        }
        return books;
    }

    private void fill(Handle handle) {
        for (RunState state : RunState.values()) {
            UUID id = UUID.randomUUID();
            runs.put(state, new RunId(id));
            boolean published = state == RunState.PUBLISHED
                    || state == RunState.SUCCESS
                    || state == RunState.FAILED_TARGET_VALIDATION;
            handle.createUpdate(RUN)
                    .bind("id", id)
                    .bind("state", state.name())
                    .bind("auditor", STAGED.contains(state) ? "w1" : null)
                    .bind("published", published)
                    .bind("ended", state.isTerminal())
                    .execute();
            handle.createUpdate(TARGET).bind("state", state.name()).execute();
            String dispatch = dispatch(state);
            if (dispatch != null) {
                handle.createUpdate(DISPATCH)
                        .bind("id", id)
                        .bind("state", dispatch)
                        .execute();
            }
            String attempt = attempt(state);
            if (attempt != null) {
                handle.createUpdate(ATTEMPT)
                        .bind("id", id)
                        .bind("run", state.name())
                        .bind("state", attempt)
                        .execute();
            }
        }
        UUID loaded = id(RunState.SUCCESS).value();
        handle.createUpdate(PARTITION).bind("id", loaded).execute();
        chunk(handle, loaded, 1, 0, "000000");
        chunk(handle, loaded, 2, 0, "000000");
        chunk(handle, loaded, 2, 1_234_567, "1234567");
        handle.execute(EVENTS);
    }

    private static void chunk(Handle handle, UUID run, long epoch, int index, String name) {
        handle.createUpdate(CHUNK)
                .bind("id", run)
                .bind("epoch", epoch)
                .bind("index", index)
                .bind("name", name)
                .execute();
    }

    /** A run that ended before its audit began kept its row open. */
    private static @Nullable String dispatch(RunState state) {
        if (STAGED.contains(state)) {
            return "ACKED";
        }
        boolean open = state == RunState.EXTRACTED_VALIDATED
                || state == RunState.TIMED_OUT
                || state == RunState.CANCELLED;
        return open ? "PENDING" : null;
    }

    private static @Nullable String attempt(RunState state) {
        return switch (state) {
            case STAGE_VALIDATING, STAGING_VALIDATED -> "STAGED";
            case PUBLISHING -> "OPEN";
            case PUBLISH_UNKNOWN -> "UNKNOWN";
            case PUBLISHED, SUCCESS -> "PUBLISHED";
            default -> null;
        };
    }

    @Test
    void whoDoesAStepOwnsItAndForTheOthersSomebodyIsCalled() {
        List<String> owners = new ArrayList<>();
        Map<RunState, List<String>> open = new EnumMap<>(RunState.class);
        runs.forEach((state, id) -> {
            RunScript script = books().found(id);
            if (script.run().owner() != null) {
                owners.add(state + " " + script.run().owner());
            }
            List<String> rows = script.outbox().stream()
                    .filter(row -> row.endsWith("PENDING") || row.endsWith("SENT"))
                    .toList();
            if (!rows.isEmpty()) {
                open.put(state, rows);
            }
        });

        assertThat(owners).containsExactly("STAGE_VALIDATING w1", "PUBLISHING w1");
        assertThat(open)
                .isEqualTo(Map.of(
                        RunState.EXTRACTED_VALIDATED, List.of("VALIDATE_RUN 1 PENDING"),
                        RunState.STAGING_VALIDATED, List.of("PUBLISH_RUN 1 PENDING"),
                        RunState.PUBLISH_UNKNOWN, List.of("RESOLVE_RUN 1 PENDING"),
                        RunState.PUBLISHED, List.of("CONFIRM_RUN 1 PENDING")));
        assertThat(script(RunState.TIMED_OUT).outbox()).containsExactly("VALIDATE_RUN 1 CANCELLED");
    }

    @Test
    void everyRunHasWhatItsColumnsSayByDefault() {
        runs.forEach((state, id) -> {
            Run run = books().found(id).run();
            assertThat(run.state()).isEqualTo(state);
            assertThat(run.recovery()).isEqualTo(RecoveryMode.REISSUE);
            assertThat(run.cut()).isNull();
            assertThat(run.cleanedAt()).isNull();
            assertThat(Duration.between(run.createdAt(), run.deadline())).hasHours(6);
            assertThat(run.confirmedAt())
                    .isEqualTo(state == RunState.SUCCESS ? run.endedAt() : null);
        });
        assertThat(books().ledger.cleanable(Duration.ZERO, Duration.ZERO, 100)).hasSize(9);
    }

    @Test
    void whatWasLeftGoesOn() {
        books().ledger.sweep();

        assertThat(script(RunState.CREATED).run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(script(RunState.EXTRACTING).run().state()).isEqualTo(RunState.TIMED_OUT);
        RunScript auditing = script(RunState.STAGE_VALIDATING);
        assertThat(auditing.outbox())
                .containsExactly("VALIDATE_RUN 1 ACKED", "VALIDATE_RUN 2 PENDING");
        auditing.start(Kind.VALIDATE_RUN);
        script(RunState.EXTRACTED_VALIDATED).start(Kind.VALIDATE_RUN);
        assertThat(script(RunState.STAGING_VALIDATED).publish().outbox())
                .containsExactly(
                        "VALIDATE_RUN 1 ACKED", "PUBLISH_RUN 1 ACKED", "CONFIRM_RUN 1 PENDING");
        for (RunState doubtful : List.of(RunState.PUBLISHING, RunState.PUBLISH_UNKNOWN)) {
            RunScript script = script(doubtful).start(Kind.RESOLVE_RUN);
            PublishAttempt attempt = script.attempt();
            Run run = books().ledger.publishResult(attempt, PublishOutcome.PUBLISHED, 300L, "seen");
            assertThat(run.state()).isEqualTo(RunState.PUBLISHED);
        }
        script(RunState.PUBLISHED).start(Kind.CONFIRM_RUN);
    }

    @Test
    void eventsStillFoldToTheRows() {
        books().ledger.sweep();
        // A target has an event only with its attempt.
        books().update("delete from weir.target t where not exists"
                + " (select from weir.publish_attempt a where a.target = t.name)");

        runs.forEach((state, id) -> {
            int attempts = attempt(state) == null ? 0 : 1;
            int dispatches = books().found(id).outbox().size();
            int loaded = state == RunState.SUCCESS ? 4 : 0;
            Replay.assertReplays(books(), id, 1 + 2 * attempts + dispatches + loaded);
        });
    }

    @Test
    void filesLieWhereTheyLay() {
        assertThat(books().ledger.detail(id(RunState.SUCCESS)).chunks())
                .extracting(Chunk::path)
                .containsExactly(
                        "file:///lake/run/p=0000/e=2/0000-000000.parquet",
                        "file:///lake/run/p=0000/e=2/0000-1234567.parquet");
    }

    @Test
    void aLedgerWithAFileElsewhereIsLeftAsItIs() {
        String name = old();
        Jdbi jdbi = TestBooks.jdbi(name);
        jdbi.useHandle(handle -> handle.execute(
                "update weir.chunk set path = 'file:///lake/a.parquet' where epoch = 1"));

        assertThatThrownBy(() -> OwnBooks.open(name))
                .isInstanceOf(WeirException.class)
                .hasMessageContaining("the file of chunk 0 of partition 0000 of run "
                        + id(RunState.SUCCESS) + " is not where it belongs"
                        + " (path=file:///lake/a.parquet,"
                        + " expected=file:///lake/run/p=0000/e=1/0000-000000.parquet)");
        int paths =
                jdbi.withHandle(handle -> handle.createQuery("select count(path) from weir.chunk")
                        .mapTo(Integer.class)
                        .one());
        assertThat(paths).isEqualTo(3);
    }

    private RunScript script(RunState state) {
        return books().found(id(state));
    }

    private RunId id(RunState state) {
        RunId id = runs.get(state);
        if (id == null) {
            throw new AssertionError("no run in state " + state);
        }
        return id;
    }
}
