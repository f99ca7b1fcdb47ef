package io.weir.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A real server behind the proxy, and the driver that everybody uses in front of it. */
@Timeout(120)
class PostgresFaultTest {
    private static final Latency SLOW =
            new Latency(Duration.ofNanos(1_000), Duration.ofMillis(2), 10_000_000, 5);

    private final TestDatabase database = TestPostgres.shared().createDatabase();
    private final FaultProxy proxy =
            FaultProxy.start(Protocol.POSTGRESQL, database.host(), database.port());

    @BeforeEach
    void createTable() {
        database.execute("create table t (id int primary key)");
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    private Connection connect(String parameters) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/" + database.name()
                        + "?" + parameters,
                database.user(),
                database.password());
    }

    /** Every way in which the driver asks for something. */
    private void script() throws SQLException {
        try (Connection connection = connect("prepareThreshold=1");
                PreparedStatement insert = connection.prepareStatement("insert into t values (?)");
                Statement statement = connection.createStatement()) {
            for (int id = 1; id <= 3; id++) {
                insert.setInt(1, id);
                insert.executeUpdate();
            }
            connection.setAutoCommit(false);
            insert.setInt(1, 4);
            insert.executeUpdate();
            statement.execute("update t set id = -id where id = 1");
            connection.commit();
            insert.setInt(1, 5);
            insert.executeUpdate();
            connection.rollback();
            connection.setAutoCommit(true);
            for (int id = 6; id <= 8; id++) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            insert.executeBatch();
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("copy t from stdin", new StringReader("9\n10\n11\n"));
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut("copy t to stdout", new java.io.StringWriter());
            statement.execute("delete from t where id = 2; insert into t values (12)");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String contents() {
        return database.text("select coalesce(string_agg(id::text, ' ' order by id), '') from t");
    }

    /** What the table held before each request, and at the end. */
    private List<String> contentsAlongTheScript() throws SQLException {
        List<String> contents = new ArrayList<>();
        for (int k = 1; k <= 100; k++) {
            int number = k;
            proxy.before(request -> request.number() == number, () -> contents.add(contents()));
        }
        script();
        contents.add(contents());
        return contents;
    }

    @Test
    void everyRequestCanBeCutBeforeAndAfter() throws SQLException {
        List<String> contents = contentsAlongTheScript();
        int requests = proxy.requests();
        assertThat(requests).isGreaterThan(12).isEqualTo(contents.size() - 1);
        assertThat(contents).contains("", "1", "1 2 3").endsWith("-1 3 4 6 7 8 9 10 11 12");
        for (int k = 1; k <= requests; k++) {
            for (Fault fault : List.of(Fault.CUT_BEFORE, Fault.CUT_AFTER)) {
                database.execute("truncate t");
                proxy.startOver();
                proxy.at(k, fault);

                assertThatThrownBy(this::script).isInstanceOf(SQLException.class);

                assertThat(contents())
                        .as(fault + " " + proxy.seen())
                        .isEqualTo(contents.get(fault == Fault.CUT_BEFORE ? k - 1 : k));
                assertThat(proxy.requests()).isEqualTo(k);
            }
        }
    }

    @Test
    void sessionsOfTheDriverAreCountedAlike() throws SQLException {
        script();
        List<Request> seen = proxy.seen();
        assertThat(seen.stream().map(Request::text))
                .contains(
                        "insert into t values ($1)",
                        "BEGIN",
                        "COMMIT",
                        "ROLLBACK",
                        "copy t from stdin",
                        "copy t to stdout",
                        "delete from t where id = 2; insert into t values (12)",
                        "insert into t values ($1); insert into t values ($1);"
                                + " insert into t values ($1)");
        proxy.startOver();
        database.execute("truncate t");
        script();
        assertThat(proxy.seen()).isEqualTo(seen);
    }

    @Test
    void aCommitWhoseReplyIsLostIsCommitted() throws SQLException {
        assertThat(statusOfLostCommit(Fault.CUT_AFTER)).isEqualTo("committed");
        assertThat(contents()).isEqualTo("1");
        assertThat(statusOfLostCommit(Fault.CUT_BEFORE)).isEqualTo("aborted");
        assertThat(contents()).isEqualTo("1");
    }

    private String statusOfLostCommit(Fault fault) throws SQLException {
        String xid;
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("insert into t select count(*) + 1 from t");
            var row = statement.executeQuery("select pg_current_xact_id()::text");
            row.next();
            xid = row.getString(1);
            proxy.onCommit(fault);
            assertThatThrownBy(connection::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));
        }
        Instant deadline = Instant.now().plus(Duration.ofSeconds(20));
        String status = "select pg_xact_status('" + xid + "'::xid8)";
        while (database.text(status).equals("in progress")) {
            assertThat(Instant.now()).isBefore(deadline);
        }
        return database.text(status);
    }

    /** The client gives up; the server cannot know and keeps its session. */
    @Test
    void aBlackHoleLeavesOnlyTimeouts() throws SQLException {
        try (Connection connection = connect("socketTimeout=1&ApplicationName=lost");
                Statement statement = connection.createStatement()) {
            proxy.blackHole(Direction.DOWN, Direction.UP);
            assertThatThrownBy(() -> statement.execute("insert into t values (1)"))
                    .isInstanceOf(SQLException.class)
                    .hasRootCauseInstanceOf(java.net.SocketTimeoutException.class);
        }
        assertThat(contents()).isEmpty();
        assertThat(sessions()).isEqualTo("1");
        proxy.pass();
        assertThat(sessions()).isEqualTo("1");
        proxy.cutAll(Ending.CLOSE);
        Instant deadline = Instant.now().plus(Duration.ofSeconds(20));
        while (!sessions().equals("0")) {
            assertThat(Instant.now()).isBefore(deadline);
        }
    }

    @Test
    void aBlackHoleAtARequestLeavesTheOtherConnections() throws SQLException {
        try (Connection lost = connect("socketTimeout=1");
                Connection other = connect("");
                Statement first = lost.createStatement();
                Statement second = other.createStatement()) {
            proxy.at(request -> request.text().contains("values (1)"), Fault.BLACK_HOLE);
            assertThatThrownBy(() -> first.execute("insert into t values (1)"))
                    .isInstanceOf(SQLException.class)
                    .hasRootCauseInstanceOf(java.net.SocketTimeoutException.class);
            second.execute("insert into t values (2)");
        }
        assertThat(contents()).isEqualTo("2");
    }

    private String sessions() {
        return database.text(
                "select count(*) from pg_stat_activity where application_name = 'lost'");
    }

    @Test
    void delaysComeFromTheSeed() throws SQLException {
        List<Duration> first = delays(SLOW);
        int requests = proxy.requests();
        assertThat(first).hasSize(2 * requests + 1).doesNotContain(Duration.ZERO);
        assertThat(first).allMatch(delay -> delay.compareTo(Duration.ofNanos(2_001_000)) <= 0);
        assertThat(delays(SLOW)).isEqualTo(first);
        assertThat(delays(new Latency(SLOW.least(), SLOW.jitter(), 0, 6))).isNotEqualTo(first);
    }

    private List<Duration> delays(Latency latency) throws SQLException {
        database.execute("truncate t");
        proxy.startOver();
        proxy.delay(latency);
        script();
        return proxy.delays();
    }

    @Test
    void anotherStatementThanCommitGoesOn() throws SQLException {
        proxy.onCommit(Fault.CUT_AFTER);
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("insert into t values (1)");
            connection.setAutoCommit(false);
            statement.execute("insert into t values (2)");
            connection.rollback();
        }
        assertThat(contents()).isEqualTo("1");
    }

    @Test
    void onlyRequestsOfHttpCanBeDuplicated() {
        assertThatThrownBy(() -> proxy.at(1, Fault.DUPLICATE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
