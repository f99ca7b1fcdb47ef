package io.weir.server;

import io.weir.core.json.Json;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.ledger.outside.Actor;
import io.weir.ledger.outside.Digests;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.access.Role;
import io.weir.server.access.TokenText;
import io.weir.server.http.Listen;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A database of its own, any number of servers over it, and a token for each role. */
final class House implements AutoCloseable {
    static final Actor ADMIN = new Actor("test", "admin", "-");

    private static final EmbeddedServer SERVER =
            EmbeddedServer.attach(Path.of("target", "postgres"), Map.of("max_connections", "200"));
    private static final SecureRandom CHANCE = new SecureRandom();

    final PostgresLedger books;
    private final String database = "t_" + UUID.randomUUID();
    private final List<WeirServer> open = new ArrayList<>();
    private final List<PostgresLedger> ledgers = new ArrayList<>();

    House() {
        SERVER.createDatabase(database);
        books = PostgresLedger.open(SERVER.url(database), SERVER.user(), SERVER.password());
    }

    /** A line to the database that can be cut. */
    static FaultProxy line() {
        URI server = URI.create(SERVER.url("x").substring("jdbc:".length()));
        return FaultProxy.start(Protocol.POSTGRESQL, server.getHost(), server.getPort());
    }

    /** A server that reaches the books over a line. */
    WeirServer server(FaultProxy line) {
        String url = "jdbc:postgresql://" + line.host() + ":" + line.port() + "/" + database;
        PostgresLedger ledger = PostgresLedger.open(
                url,
                SERVER.user(),
                SERVER.password(),
                LedgerSettings.DEFAULTS.withConnectionsMax(2));
        ledgers.add(ledger);
        WeirServer started = WeirServer.start(
                ledger,
                ledger.outside(OutsideSettings.DEFAULTS),
                ledger.access(),
                new ServerSettings(
                        Listen.of("127.0.0.1", 0, null, false),
                        null,
                        Set.of(),
                        Duration.ofSeconds(5),
                        null),
                UUID::randomUUID,
                House::chance);
        open.add(started);
        return started;
    }

    /** A server that does nothing by itself. */
    WeirServer server(OutsideSettings settings) {
        return server(settings, null);
    }

    WeirServer server(OutsideSettings settings, @Nullable String receiver) {
        ServerSettings server = new ServerSettings(
                Listen.of("127.0.0.1", 0, null, false),
                receiver,
                Set.of("127.0.0.1"),
                Duration.ofSeconds(5),
                null);
        WeirServer started = WeirServer.start(
                books, outside(settings), books.access(), server, UUID::randomUUID, House::chance);
        open.add(started);
        return started;
    }

    OutsideLedger outside(OutsideSettings settings) {
        return books.outside(settings);
    }

    Api api(WeirServer server, Role role) {
        return new Api("http://127.0.0.1:" + server.port(), token(role), server.routes());
    }

    String token(Role role) {
        return token(role, Duration.ofDays(1)).text();
    }

    TokenText token(Role role, Duration valid) {
        TokenText text = TokenText.of(role, chance());
        books.access()
                .create(
                        text.id(),
                        "test-" + role.text(),
                        role.text(),
                        List.of(),
                        Digests.sha256(text.text()),
                        valid,
                        ADMIN);
        return text;
    }

    static byte[] chance() {
        byte[] bytes = new byte[TokenText.BYTES];
        CHANCE.nextBytes(bytes);
        return bytes;
    }

    /** Moves times into the past, or breaks something. */
    int update(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot run " + sql, e);
        }
    }

    /** The first column of the first row. */
    String ask(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot run " + sql, e);
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.url(database), SERVER.user(), SERVER.password());
    }

    static String json(Object... pairs) {
        var node = Json.object();
        for (int i = 0; i < pairs.length; i += 2) {
            node.putPOJO(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return Json.line(node);
    }

    @Override
    public void close() {
        for (WeirServer server : open) {
            server.close();
        }
        ledgers.forEach(PostgresLedger::close);
        books.close();
    }
}
