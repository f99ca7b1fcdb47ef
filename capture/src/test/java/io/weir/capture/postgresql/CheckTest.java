package io.weir.capture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.capture.CaptureSpec;
import io.weir.capture.Captures;
import io.weir.capture.ChangeStream;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.LossPolicy;
import io.weir.source.Refusal;
import io.weir.source.SourceConfig;
import io.weir.source.TableSpec;
import io.weir.testkit.postgresql.TestDatabase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every refusal, and that the statement it comes with mends it. */
class CheckTest {
    private static final Pattern STATEMENT =
            Pattern.compile("((?:ALTER|CREATE|SELECT) .*;)", Pattern.DOTALL);

    private final Tap tap = new Tap();
    private final CaptureSpec spec = tap.spec("public.k");

    @BeforeEach
    void createTable() {
        tap.database.execute("create table k (id int primary key, v text)");
    }

    @AfterEach
    void dropSlot() {
        tap.close();
    }

    private void fit() {
        tap.publish("public.k");
        tap.capture().createSlot(spec);
        assertThat(tap.capture().check(spec)).isEmpty();
    }

    /** The only refusal has this code; its statement is run, and then there is none. */
    private void refusedThenMended(ErrorCode code, String fact) {
        List<Refusal> refusals = tap.capture().check(spec);
        assertThat(refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal.message()).contains(fact);
        });
        tap.database.execute(statement(refusals.get(0)));
        assertThat(tap.capture().check(spec)).isEmpty();
    }

    private static String statement(Refusal refusal) {
        Matcher matcher = STATEMENT.matcher(refusal.hint());
        assertThat(matcher.find()).as(refusal.hint()).isTrue();
        return matcher.group(1);
    }

    @Test
    void everythingThatIsMissingIsToldAtOnceAndMendedByItsStatement() {
        List<Refusal> refusals = tap.capture().check(spec);
        assertThat(refusals)
                .extracting(Refusal::code)
                .containsExactly(
                        ErrorCode.CAPTURE_PUBLICATION_UNFIT,
                        ErrorCode.CAPTURE_IDENTITY_UNFIT,
                        ErrorCode.CAPTURE_SLOT_MISSING);
        refusals.forEach(refusal -> tap.database.execute(statement(refusal)));
        assertThat(tap.capture().check(spec)).isEmpty();
    }

    @Test
    void tableThatIsNotPublished() {
        fit();
        tap.database.execute("alter publication weir_pub drop table k");
        refusedThenMended(ErrorCode.CAPTURE_PUBLICATION_UNFIT, "does not hold it");
    }

    @Test
    void truncateThatIsHidden() {
        fit();
        tap.database.execute("alter publication weir_pub set (publish = 'insert, update, delete')");
        refusedThenMended(ErrorCode.CAPTURE_PUBLICATION_UNFIT, "truncate=false");
    }

    @Test
    void rowsThatAreHidden() {
        fit();
        tap.database.execute("alter publication weir_pub set table k where (id > 5)");
        refusedThenMended(ErrorCode.CAPTURE_PUBLICATION_UNFIT, "filter=(id > 5)");
    }

    @Test
    void columnsThatAreHidden() {
        fit();
        tap.database.execute("alter publication weir_pub set table k (id)");
        refusedThenMended(ErrorCode.CAPTURE_PUBLICATION_UNFIT, "columns=[v]");
    }

    @Test
    void identityThatIsNotFull() {
        fit();
        tap.database.execute("alter table k replica identity default");
        refusedThenMended(ErrorCode.CAPTURE_IDENTITY_UNFIT, "replica identity=d");
    }

    @Test
    void keyThatCannotBeAnIdentity() {
        tap.database.execute("create table d (id int primary key deferrable)");
        tap.database.execute("create publication weir_pub for table k, d");
        CaptureSpec keyed = tap.spec(CaptureSpec.Identity.KEY, "public.d", "public.k");
        tap.database.execute("create table n (id int)");
        assertThat(tap.capture().check(keyed))
                .extracting(Refusal::code)
                .containsExactly(ErrorCode.CAPTURE_IDENTITY_UNFIT, ErrorCode.CAPTURE_SLOT_MISSING);
    }

    @Test
    void columnsThatTheLogDoesNotHold() {
        tap.database.execute("create table g (id int primary key,"
                + " twice int generated always as (id * 2) stored, i interval, n numeric)");
        tap.publish("public.g");
        tap.database.execute("alter table g alter n type numeric(5,2)");
        CaptureSpec generated = spec(new TableSpec("public.g", List.of("i"), Map.of()));
        assertThat(tap.capture().check(generated).get(0).message())
                .isEqualTo("Cannot capture table public.g: column twice is generated, and the log"
                        + " does not hold it");
        CaptureSpec interval = spec(new TableSpec("public.g", List.of("twice"), Map.of()));
        assertThat(tap.capture().check(interval).get(0).code())
                .isEqualTo(ErrorCode.SOURCE_TYPE_UNSUPPORTED);
        CaptureSpec fine = spec(new TableSpec("public.g", List.of("i", "twice"), Map.of()));
        assertThat(tap.capture().check(fine))
                .extracting(Refusal::code)
                .containsExactly(ErrorCode.CAPTURE_SLOT_MISSING);
    }

    @Test
    void policiesViewsAndPartitionedTables() {
        tap.database.execute(
                "create table d (id int primary key, d date)",
                "create view w as select * from k",
                "create table p (id int primary key) partition by range (id)",
                "create unlogged table u (id int primary key)");
        tap.publish("public.d");
        TableSpec policy = new TableSpec("public.d", List.of(), Map.of("d", LossPolicy.NULL));
        assertThat(tap.capture().check(spec(policy)).get(0).message())
                .contains("column d has a policy");
        for (String table : List.of("public.w", "public.p", "public.u")) {
            assertThat(tap.capture().check(spec(TableSpec.of(table))))
                    .as(table)
                    .anySatisfy(refusal -> assertThat(refusal.message())
                            .contains("only permanent tables that are not partitioned"));
        }
    }

    private CaptureSpec spec(TableSpec table) {
        return new CaptureSpec(
                Tap.PUBLICATION,
                tap.slot,
                List.of(table),
                CaptureSpec.Identity.FULL,
                CaptureSpec.SLOT_BYTES_MAX);
    }

    @Test
    void slotThatIsGone() {
        fit();
        tap.close();
        refusedThenMended(ErrorCode.CAPTURE_SLOT_MISSING, "slot=" + tap.slot);
    }

    @Test
    void slotOfAnotherDatabase() {
        fit();
        try (Tap other = new Tap()) {
            CaptureSpec foreign = new CaptureSpec(
                    Tap.PUBLICATION,
                    other.slot,
                    spec.tables(),
                    spec.identity(),
                    spec.slotBytesMax());
            other.database.execute(
                    "select pg_create_logical_replication_slot('" + other.slot + "', 'pgoutput')");
            assertThat(tap.capture().check(foreign)).singleElement().satisfies(refusal -> {
                assertThat(refusal.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_LOST);
                assertThat(refusal.message()).contains("this database=false");
            });
        }
    }

    @Test
    void slotThatSomebodyReads() {
        fit();
        var capture = tap.capture();
        try (ChangeStream stream = capture.open(spec, tap.schemas(spec))) {
            tap.database.execute("insert into k values (1, 'a')");
            Tap.transaction(stream);
            assertThat(capture.check(spec)).isEmpty();
            assertThat(tap.capture().check(spec))
                    .singleElement()
                    .satisfies(refusal ->
                            assertThat(refusal.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_BUSY));
            assertThatThrownBy(() -> tap.open(spec))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_BUSY));
        }
        assertThatThrownBy(() -> capture.createSlot(spec))
                .hasMessageContaining("it exists (source=shop)");
    }

    @Test
    void slotThatHoldsTooMuch() {
        fit();
        tap.database.execute(
                "insert into k select i, repeat('x', 1000) from" + " generate_series(1, 2000) i");
        CaptureSpec tight = new CaptureSpec(
                Tap.PUBLICATION, tap.slot, spec.tables(), spec.identity(), 1_000_000);
        assertThat(tap.capture().check(tight)).singleElement().satisfies(refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_FULL);
            assertThat(refusal.message()).contains("allowed=1000000");
        });
    }

    @Test
    void userThatMayNotReadTheLog() {
        fit();
        tap.database.execute("create role poor" + tap.database.name() + " login");
        String user = "poor" + tap.database.name();
        tap.database.execute("grant select on k to " + user);
        SourceConfig config = new SourceConfig("shop", tap.database.url(), user, null);
        assertThat(Captures.of(config).check(spec)).singleElement().satisfies(refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.SOURCE_PRIVILEGE_MISSING);
            assertThat(refusal.hint())
                    .isEqualTo("Run as a superuser: ALTER ROLE \"" + user + "\" REPLICATION;");
        });
    }

    /** A server whose log says too little, and whose slots are lost when they hold too much. */
    @Test
    void serverThatLogsTooLittleAndSlotThatIsLost() throws IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("wal_level", "replica")
                .setLocaleConfig("locale", "C.UTF-8")
                .start()) {
            SourceConfig config = new SourceConfig(
                    "shop", server.getJdbcUrl("postgres", "postgres"), "postgres", null);
            CaptureSpec any = tap.spec("public.k");
            assertThat(Captures.of(config).check(any)).anySatisfy(refusal -> {
                assertThat(refusal.code()).isEqualTo(ErrorCode.CAPTURE_SERVER_UNFIT);
                assertThat(refusal.message()).contains("wal_level=replica");
                assertThat(refusal.hint()).contains("ALTER SYSTEM SET wal_level = 'logical';");
            });
        }
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("wal_level", "logical")
                .setServerConfig("max_slot_wal_keep_size", "1MB")
                .setServerConfig("max_wal_size", "32MB")
                .setServerConfig("min_wal_size", "32MB")
                .setLocaleConfig("locale", "C.UTF-8")
                .start()) {
            Tap own = new Tap(
                    new TestDatabase(
                            "127.0.0.1", server.getPort(), "postgres", "postgres", "postgres"),
                    "lost");
            own.database.execute("create table k (id int primary key, v text)");
            own.publish("public.k");
            CaptureSpec lost = own.spec("public.k");
            own.capture().createSlot(lost);
            own.database.execute(
                    "select pg_switch_wal()",
                    "insert into k select i, repeat('x', 1000) from generate_series(1, 60000) i",
                    "select pg_switch_wal()",
                    "checkpoint",
                    "checkpoint");
            assertThat(own.capture().check(lost)).singleElement().satisfies(refusal -> {
                assertThat(refusal.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_LOST);
                assertThat(refusal.message()).contains("wal_status=lost");
            });
        }
    }
}
