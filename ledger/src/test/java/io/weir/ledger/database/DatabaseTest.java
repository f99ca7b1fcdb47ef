package io.weir.ledger.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.TestBooks;
import io.weir.ledger.embedded.EmbeddedServer;

import org.assertj.core.api.AbstractStringAssert;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

class DatabaseTest {
    private final EmbeddedServer server = TestBooks.server();

    @Test
    void manyOpenAnEmptyDatabaseAtOnce() throws Exception {
        String url = server.url(TestBooks.newDatabase());
        CountDownLatch start = new CountDownLatch(1);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            start.await();
                            open(url, server.password()).close();
                        } catch (InterruptedException | WeirException e) {
                            failures.add(e);
                        }
                    },
                    "open-" + i);
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join(60_000);
        }

        assertThat(failures).isEmpty();
        try (Database database = open(url, server.password())) {
            List<String> versions = database.jdbi()
                    .withHandle(handle -> handle.createQuery("select version from weir.migration"
                                    + " where version is not null"
                                    + " order by installed_rank")
                            .mapTo(String.class)
                            .list());
            assertThat(versions)
                    .containsExactly(
                            "001", "002", "003", "004", "005", "006", "007", "008", "009", "010",
                            "011", "012", "020", "021", "022", "023", "026", "030", "031", "032",
                            "033", "034", "035", "036", "037", "038");
        }
    }

    @Test
    void refusesASchemaOfANewerVersion() {
        String url = server.url(TestBooks.newDatabase());
        try (Database database = open(url, server.password())) {
            database.jdbi()
                    .useHandle(handle ->
                            handle.execute("insert into weir.migration select 99, '099', 'later',"
                                    + " type, 'V099__later.sql', 1, installed_by,"
                                    + " installed_on, 1, true from weir.migration"
                                    + " where version = '012'"));
        }

        assertCode(url, server.password(), ErrorCode.LEDGER_INVALID)
                .contains("its schema does not fit this version of Weir");
    }

    @Test
    void tellsAWrongPasswordWithoutShowingIt() {
        String url = server.url("postgres") + "?password=canary-7f3a";

        assertCode(url, "canary-81bd", ErrorCode.LEDGER_INVALID)
                .isEqualTo("Cannot open ledger " + server.url("postgres")
                        + ": FATAL: password authentication failed for user \"weir\""
                        + " (sqlstate=28P01)");
    }

    @Test
    void tellsAnUnreachableServer() {
        assertCode("jdbc:postgresql://127.0.0.1:1/weir", "x", ErrorCode.LEDGER_UNREACHABLE)
                .startsWith("Cannot open ledger jdbc:postgresql://127.0.0.1:1/weir: Connection to"
                        + " 127.0.0.1:1 refused.")
                .endsWith("(sqlstate=08001)");
    }

    @Test
    void tellsAMissingDatabaseAndANonsenseUrl() {
        assertCode(server.url("nowhere"), server.password(), ErrorCode.LEDGER_INVALID)
                .contains("database \"nowhere\" does not exist (sqlstate=3D000)");
        assertCode("jdbc:mysql://host/db?password=canary", "x", ErrorCode.LEDGER_INVALID)
                .isEqualTo("Cannot open ledger jdbc:mysql://host/db: not a PostgreSQL URL"
                        + " (form=jdbc:postgresql://host:port/database)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-3", "1.5", "99999999999", ""})
    void tellsATimeThatIsNoNumberOfSeconds(String seconds) {
        assertCode(url("socketTimeout=" + seconds), "x", ErrorCode.LEDGER_INVALID)
                .isEqualTo("Cannot open ledger jdbc:postgresql://127.0.0.1:1/weir: socketTimeout in"
                        + " its URL is not a number of seconds (socketTimeout=" + seconds
                        + ", form=1 to 999999)");
    }

    @Test
    void tellsAParameterThatTheDriverCannotUse() {
        assertCode(url("prepareThreshold=abc"), "x", ErrorCode.LEDGER_INVALID)
                .startsWith("Cannot open ledger jdbc:postgresql://127.0.0.1:1/weir: ")
                .contains("prepareThreshold", "abc");
    }

    private static String url(String parameters) {
        return "jdbc:postgresql://127.0.0.1:1/weir?" + parameters;
    }

    @Test
    void refusesServersBeforeThirteen() {
        assertThat(Database.tooOld("open ledger x", 12))
                .hasMessage("Cannot open ledger x: the server is too old (version=12, required=13)")
                .extracting("code")
                .isEqualTo(ErrorCode.LEDGER_INVALID);
    }

    @Test
    void leavesSecretsOutOfUrls() {
        assertThat(Database.withoutParameters("jdbc:postgresql://u:p@h:1/d?password=p"))
                .isEqualTo("jdbc:postgresql://h:1/d");
        assertThat(Database.withoutParameters("jdbc:postgresql:d")).isEqualTo("jdbc:postgresql:d");
    }

    @Test
    void everyStateHasItsCode() {
        assertThat(codeOf("08006")).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(codeOf("53300")).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(codeOf("57P01")).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(codeOf("40001")).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(codeOf("40P01")).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(codeOf("25006")).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(codeOf("55P03")).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(codeOf(null)).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(codeOf("28P01")).isEqualTo(ErrorCode.LEDGER_INVALID);
        assertThat(codeOf("28000")).isEqualTo(ErrorCode.LEDGER_INVALID);
        assertThat(codeOf("3D000")).isEqualTo(ErrorCode.LEDGER_INVALID);
        assertThat(codeOf("42501")).isEqualTo(ErrorCode.LEDGER_INVALID);
        assertThat(codeOf("23505")).isEqualTo(ErrorCode.LEDGER_INVARIANT);
        assertThat(codeOf("23514")).isEqualTo(ErrorCode.LEDGER_INVARIANT);
        assertThat(codeOf("42P01")).isEqualTo(ErrorCode.LEDGER_INVARIANT);
        assertThat(PostgresErrors.isRetried(new SQLException("x", "40P01"))).isTrue();
        assertThat(PostgresErrors.isRetried(new SQLException("x", "40001"))).isTrue();
        assertThat(PostgresErrors.isRetried(new SQLException("x", "23505"))).isFalse();
        assertThat(PostgresErrors.isRetried(new SQLException("x", "08006"))).isFalse();
    }

    @Test
    void retriesThreeTimesInAllAndThenGivesUp() {
        try (Database database = open(server.url(TestBooks.newDatabase()), server.password())) {
            PostgresTransactions transactions = new PostgresTransactions(database.jdbi());
            List<Integer> tries = new ArrayList<>();

            String done = inTransaction(transactions, handle -> {
                tries.add(1);
                if (tries.size() < 3) {
                    raise(handle, "40P01");
                }
                return "done";
            });

            assertThat(done).isEqualTo("done");
            assertThat(tries).hasSize(3);
            tries.clear();
            assertThatThrownBy(() -> inTransaction(transactions, handle -> {
                        tries.add(1);
                        raise(handle, "40001");
                        return "never";
                    }))
                    .isInstanceOf(WeirException.class)
                    .hasMessage("Cannot test: ERROR: on purpose (sqlstate=40001)");
            assertThat(tries).hasSize(3);
        }
    }

    private static <T> T inTransaction(
            PostgresTransactions transactions, Function<Handle, T> work) {
        return transactions.inTransaction("test", TransactionIsolationLevel.READ_COMMITTED, work);
    }

    private static void raise(Handle handle, String state) {
        handle.execute(
                "do $$ begin raise exception 'on purpose' using errcode = '" + state + "'; end $$");
    }

    private static ErrorCode codeOf(@Nullable String state) {
        return PostgresErrors.code(new SQLException("x", state));
    }

    private Database open(String url, String password) {
        return Database.open(url, server.user(), password, 2, Duration.ofSeconds(30));
    }

    private AbstractStringAssert<?> assertCode(String url, String password, ErrorCode code) {
        String[] message = new String[1];
        assertThatThrownBy(() -> open(url, password))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).as(e.text()).isEqualTo(code);
                    message[0] = e.text();
                });
        return assertThat(message[0]);
    }
}
