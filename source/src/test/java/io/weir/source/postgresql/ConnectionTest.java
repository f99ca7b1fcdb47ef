package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.Sources;
import io.weir.source.TableSpec;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class ConnectionTest {
    private static final String CANARY = "k4n4ri-vogel";
    private static final Shop SHOP = new Shop();
    private static final String GUARDED = SHOP.database.name() + "_guarded";

    /** The test server trusts everybody; this user it does not. */
    @BeforeAll
    static void demandAPassword() throws IOException {
        SHOP.database.execute("create role " + GUARDED + " login password 'right-one'");
        Path rules = Path.of(SHOP.database.text("show hba_file"));
        List<String> lines = Files.readAllLines(rules, StandardCharsets.UTF_8);
        lines.add(0, "host all " + GUARDED + " 127.0.0.1/32 scram-sha-256");
        Files.write(rules, lines, StandardCharsets.UTF_8);
        SHOP.database.execute("select pg_reload_conf()");
    }

    private static WeirException failure(String url, String user, @Nullable String password) {
        try (Source source = Sources.open(new SourceConfig("shop", url, user, password))) {
            WeirException error = catchThrowableOfType(
                    WeirException.class, () -> source.inspect(TableSpec.of("orders")));
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                assertThat(cause.toString()).doesNotContain(CANARY);
            }
            return error;
        }
    }

    private static String facts(int port, String database, String user) {
        return " (host=127.0.0.1, port=" + port + ", database=" + database + ", user=" + user + ")";
    }

    private static String facts(String user) {
        return facts(SHOP.database.port(), SHOP.database.name(), user);
    }

    @Test
    void refusesAWrongPassword() {
        WeirException error = failure(SHOP.database.url(), GUARDED, CANARY);
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_AUTHENTICATION_FAILED);
        assertThat(error)
                .hasMessage("Cannot connect to source shop: password authentication failed for user"
                        + " \"" + GUARDED + "\"" + facts(GUARDED));
    }

    @Test
    void connectsWithTheRightPassword() {
        Source source = SHOP.source(GUARDED, "right-one");
        assertThat(source.inspect(TableSpec.of("orders")).relationKind()).isEqualTo("none");
    }

    @Test
    void refusesAMissingPassword() {
        WeirException error = failure(SHOP.database.url(), GUARDED, null);
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_AUTHENTICATION_FAILED);
        assertThat(error)
                .hasMessage("Cannot connect to source shop: the server asks for a password or a"
                        + " method that is not given" + facts(GUARDED));
    }

    @Test
    void refusesAnUnknownUser() {
        WeirException error = failure(SHOP.database.url(), "nobody-here", CANARY);
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_AUTHENTICATION_FAILED);
        assertThat(error)
                .hasMessage("Cannot connect to source shop: role \"nobody-here\" does not exist"
                        + facts("nobody-here"));
    }

    @Test
    void refusesAnUnknownDatabase() {
        String url = "jdbc:postgresql://127.0.0.1:" + SHOP.database.port() + "/nowhere";
        WeirException error = failure(url, "postgres", CANARY);
        assertThat(error.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
        assertThat(error)
                .hasMessage("Cannot connect to source shop: database \"nowhere\" does not exist"
                        + facts(SHOP.database.port(), "nowhere", "postgres"));
    }

    @Test
    void namesHostAndPortOfAServerThatRefuses() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        WeirException error = failure(
                "jdbc:postgresql://127.0.0.1:" + port + "/shop?password=" + CANARY, "weir", CANARY);
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_UNREACHABLE);
        assertThat(error)
                .hasMessage("Cannot connect to source shop: the connection was refused"
                        + facts(port, "shop", "weir"));
    }

    @Test
    void namesAnUnknownHost() {
        WeirException error =
                failure("jdbc:postgresql://no-such-host.invalid/shop", "weir", CANARY);
        assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_UNREACHABLE);
        assertThat(error)
                .hasMessage("Cannot connect to source shop: the host is not known"
                        + " (host=no-such-host.invalid, port=5432, database=shop, user=weir)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://localhost/shop", "postgresql://x/y", ""})
    void refusesUrlsThatNoDialectReads(String url) {
        assertThatThrownBy(() -> Sources.open(new SourceConfig("shop", url, "weir", CANARY)))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
                .hasMessage("Cannot open source shop: no dialect reads its URL"
                        + " (supported=jdbc:postgresql://…)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://localhost:port/shop?password=" + CANARY,
                "jdbc:postgresql://weir:" + CANARY + "@localhost/shop",
                "jdbc:postgresql://localhost:99999/shop",
            })
    void refusesAUrlThatTheDriverCannotRead(String url) {
        assertThatThrownBy(() -> Sources.open(new SourceConfig("shop", url, "weir", CANARY)))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
                .hasMessage("Cannot open source shop: its URL cannot be read"
                        + " (form=jdbc:postgresql://host:port/database)")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://localhost/shop",
                "jdbc:postgresql://a:5432,b:5433/shop?targetServerType=secondary",
                "jdbc:postgresql://[::1]:5432/shop",
                "jdbc:postgresql:shop",
                "jdbc:postgresql:///shop",
            })
    void takesEveryFormThatTheDriverTakes(String url) {
        try (Source source = Sources.open(new SourceConfig("shop", url, "weir", null))) {
            assertThat(source).isInstanceOf(PostgresSource.class);
        }
    }

    @Test
    void neverPrintsThePassword() {
        assertThat(new SourceConfig(
                        "shop", "jdbc:postgresql://h/d?password=" + CANARY, "u", CANARY))
                .hasToString("SourceConfig[name=shop, user=u]");
    }

    /** Roles and databases can bring settings that would change or end a read. */
    @Test
    void overridesTheSettingsOfTheRole() {
        String role = SHOP.database.name() + "_odd";
        SHOP.database.execute(
                "create role " + role + " login superuser",
                "alter role " + role + " set timezone = 'America/St_Johns'",
                "alter role " + role + " set datestyle = 'SQL, DMY'",
                "alter role " + role + " set statement_timeout = '9s'",
                "alter role " + role + " set transaction_timeout = '9s'",
                "alter role " + role + " set idle_in_transaction_session_timeout = '9s'",
                "alter role " + role + " set row_security = on",
                "alter role " + role + " set extra_float_digits = -15");
        try (PostgresSession session = PostgresSession.open(
                new SourceConfig("shop", SHOP.database.url(), role, null),
                Shop.SHORT_LOCK_TIMEOUT)) {
            List<String> settings = session.query(
                    "select string_agg(name || '=' || setting, ' ' order by name)"
                            + " from pg_settings where name in ('TimeZone', 'DateStyle',"
                            + " 'statement_timeout', 'transaction_timeout', 'lock_timeout',"
                            + " 'idle_in_transaction_session_timeout', 'row_security',"
                            + " 'extra_float_digits', 'application_name',"
                            + " 'default_transaction_read_only', 'client_encoding')",
                    Activity.of("read settings"),
                    row -> row.getString(1));
            assertThat(settings)
                    .containsExactly("DateStyle=ISO, YMD TimeZone=UTC application_name=weir"
                            + " client_encoding=UTF8 default_transaction_read_only=on"
                            + " extra_float_digits=3 idle_in_transaction_session_timeout=0"
                            + " lock_timeout=300 row_security=off statement_timeout=0"
                            + " transaction_timeout=0");
        }
    }
}
