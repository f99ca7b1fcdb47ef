package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;

/** Every line of the classifier; texts of the server are in another language on purpose. */
class PostgresErrorsTest {
    private static final Endpoint ENDPOINT =
            new Endpoint("shop", "db.example", "5432", "shop", "ayşe");
    private static final Activity READING =
            Activity.onTable("read", new RelationName("public", "orders"), "ayşe");

    private static SQLException server(String state, String routine) {
        return new PSQLException(new ServerErrorMessage(
                "SFEHLER\0VERROR\0C" + state + "\0MNein\0R" + routine + "\0\0"));
    }

    private static SQLException driver(PSQLState state, IOException cause) {
        return new PSQLException("password=hunter2 leaks", state, cause);
    }

    @ParameterizedTest
    @CsvSource({
        "28P01, SOURCE_AUTHENTICATION_FAILED",
        "28000, SOURCE_AUTHENTICATION_FAILED",
        "3D000, CONFIG_INVALID",
        "42501, SOURCE_PRIVILEGE_MISSING",
        "22023, SOURCE_QUERY_FAILED",
        "53300, SOURCE_UNREACHABLE",
        "57P03, SOURCE_UNREACHABLE",
        "08006, SOURCE_UNREACHABLE",
    })
    void classifiesFailuresToConnect(String state, ErrorCode code) {
        WeirException error = PostgresErrors.connecting(ENDPOINT, server(state, "auth_failed"));
        assertThat(error.code()).isEqualTo(code);
        assertThat(error)
                .hasMessage("Cannot connect to source shop: Nein"
                        + " (host=db.example, port=5432, database=shop, user=ayşe)");
    }

    @Test
    void saysHowToGetMoreConnections() {
        assertThat(PostgresErrors.connecting(ENDPOINT, server("53300", "InitProcess"))
                        .hint())
                .isEqualTo("Raise max_connections of the server, or read with fewer readers.");
    }

    @Test
    void namesWhyAHostIsNotReached() {
        assertReason(new UnknownHostException("db.example"), "the host is not known");
        assertReason(new SocketTimeoutException("x"), "the server did not answer in time");
        assertReason(new NoRouteToHostException("x"), "there is no route to the host");
        assertReason(new ConnectException("x"), "the connection was refused");
        assertReason(new EOFException("x"), "the connection broke off (sqlstate=08001)");
    }

    private static void assertReason(IOException cause, String reason) {
        WeirException error = PostgresErrors.connecting(
                ENDPOINT, driver(PSQLState.CONNECTION_UNABLE_TO_CONNECT, cause));
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_UNREACHABLE);
        assertThat(error)
                .hasMessage("Cannot connect to source shop: " + reason
                        + " (host=db.example, port=5432, database=shop, user=ayşe)");
    }

    @Test
    void takesARejectedMethodForAFailedAuthentication() {
        WeirException error = PostgresErrors.connecting(
                ENDPOINT, driver(PSQLState.CONNECTION_REJECTED, new IOException("x")));
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_AUTHENTICATION_FAILED);
        assertThat(error.text())
                .contains("the server asks for a password or a method that is not given")
                .doesNotContain("hunter2");
    }

    @Test
    void namesAServerThatSpeaksAnotherProtocol() {
        WeirException error = PostgresErrors.connecting(
                ENDPOINT, driver(PSQLState.PROTOCOL_VIOLATION, new IOException("x")));
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_UNREACHABLE);
        assertThat(error.text()).contains("the server does not speak the protocol of PostgreSQL");
    }

    @ParameterizedTest
    @CsvSource({
        "08006, SOURCE_CONNECTION_LOST",
        "08003, SOURCE_CONNECTION_LOST",
        "57P01, SOURCE_CONNECTION_LOST",
        "57P02, SOURCE_CONNECTION_LOST",
        "57P03, SOURCE_CONNECTION_LOST",
        "57P05, SOURCE_CONNECTION_LOST",
        "25P03, SOURCE_CONNECTION_LOST",
        "25P04, SOURCE_CONNECTION_LOST",
        "72000, SOURCE_SNAPSHOT_EXPIRED",
        "40001, SOURCE_SNAPSHOT_EXPIRED",
        "42501, SOURCE_PRIVILEGE_MISSING",
        "22021, SOURCE_VALUE_UNREPRESENTABLE",
        "22P05, SOURCE_VALUE_UNREPRESENTABLE",
        "42P01, SOURCE_TABLE_NOT_FOUND",
        "3F000, SOURCE_TABLE_NOT_FOUND",
        "42703, SOURCE_COLUMN_NOT_FOUND",
        "55P03, SOURCE_LOCKED",
        "40P01, SOURCE_LOCKED",
        "22023, SOURCE_QUERY_FAILED",
        "57014, SOURCE_QUERY_FAILED",
        "XX001, SOURCE_QUERY_FAILED",
    })
    void classifiesFailedStatements(String state, ErrorCode code) {
        WeirException error = PostgresErrors.during(READING, server(state, "some_function"));
        assertThat(error.code()).isEqualTo(code);
        assertThat(error)
                .hasMessage("Cannot read table public.orders: Nein (sqlstate=" + state + ")");
    }

    @ParameterizedTest
    @CsvSource({"22023", "42704", "55000", "0A000", "25P02"})
    void takesARefusedSnapshotForAnExpiredOne(String state) {
        WeirException error = PostgresErrors.during(
                Activity.importing("shop", "0003-1B-1"), server(state, "ImportSnapshot"));
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_SNAPSHOT_EXPIRED);
        assertThat(error)
                .hasMessage("Cannot join the snapshot of source shop (token=0003-1B-1): Nein"
                        + " (sqlstate=" + state + ")");
    }

    @Test
    void namesTheGrantThatIsMissing() {
        assertThat(PostgresErrors.during(READING, server("42501", "aclcheck_error"))
                        .hint())
                .isEqualTo("Run as the owner: GRANT SELECT ON \"public\".\"orders\" TO \"ayşe\";");
        assertThat(PostgresErrors.during(Activity.of("x"), server("42501", "aclcheck_error"))
                        .hint())
                .isEqualTo(ErrorCode.SOURCE_PRIVILEGE_MISSING.hint());
    }

    @Test
    void tellsRowSecurityFromAMissingPrivilege() {
        assertThat(PostgresErrors.during(READING, server("42501", "check_enable_rls"))
                        .code())
                .isEqualTo(ErrorCode.SOURCE_ROWS_HIDDEN);
    }

    @Test
    void saysThatTheConnectionBrokeInItsOwnWords() {
        assertThat(PostgresErrors.during(
                        READING, driver(PSQLState.CONNECTION_FAILURE, new EOFException("x"))))
                .hasMessage("Cannot read table public.orders: the connection to the server broke"
                        + " (sqlstate=08006)");
    }

    @Test
    void takesAnAnswerThatNobodyUnderstandsForALostConnection() {
        WeirException error = PostgresErrors.during(
                READING, driver(PSQLState.UNKNOWN_STATE, new IOException("x")));
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_CONNECTION_LOST);
        assertThat(error)
                .hasMessage("Cannot read table public.orders: the connection to the server broke"
                        + " (sqlstate=08P01)");
    }

    @Test
    void worksWithoutState() {
        assertThat(PostgresErrors.during(READING, new SQLException("odd")))
                .hasMessage("Cannot read table public.orders: the driver failed, odd"
                        + " (sqlstate=none)");
    }
}
