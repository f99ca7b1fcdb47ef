package io.weir.app.demo;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.embedded.EmbeddedServer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;

/** The database that the demo loads from: a PostgreSQL of its own, filled once. */
public final class DemoShop {
    private static final String DATABASE = "shop";
    private static final String READER = "reader";

    private final EmbeddedServer server;
    private final Path passwordFile;

    private DemoShop(EmbeddedServer server, Path passwordFile) {
        this.server = server;
        this.passwordFile = passwordFile;
    }

    /** Where the server of the shop lives. */
    public static Path home(Path root) {
        return directory(root).resolve("shop");
    }

    static Path directory(Path root) {
        return root.resolve("demo");
    }

    /** Starts or joins the server; fills the shop if it is empty. */
    static DemoShop open(Path root) {
        EmbeddedServer server = EmbeddedServer.attach(home(root), Map.of("wal_level", "logical"));
        server.createDatabase(DATABASE);
        DemoShop shop = new DemoShop(server, directory(root).resolve("shop.password"));
        try (Connection connection = shop.connect();
                Statement statement = connection.createStatement()) {
            if (!shop.isFilled(statement)) {
                statement.execute(resource("shop.sql"));
            }
            String password = UUID.randomUUID().toString();
            shop.writePassword(password);
            statement.execute(resource("live.sql"));
            statement.execute("alter role " + READER + " login password '" + password + "'");
        } catch (SQLException e) {
            throw new WeirException(
                    ErrorCode.SOURCE_QUERY_FAILED,
                    "Cannot fill the shop of the demo: " + e.getMessage(),
                    e);
        }
        return shop;
    }

    /** As the owner of the tables. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(server.url(DATABASE), server.user(), server.password());
    }

    /** Lets somebody write from now on. */
    ShopWriter write() {
        try {
            return ShopWriter.start(connect());
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Each statement is a transaction of its own. */
    void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** The number that a query answers. */
    long number(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Up to where the log of the shop is written, as a place. */
    long logEnd() {
        return number("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint");
    }

    private static WeirException failed(SQLException e) {
        return new WeirException(
                ErrorCode.SOURCE_QUERY_FAILED,
                "Cannot use the shop of the demo: " + e.getMessage(),
                e);
    }

    String url() {
        return server.url(DATABASE);
    }

    String user() {
        return READER;
    }

    Path passwordFile() {
        return passwordFile;
    }

    private boolean isFilled(Statement statement) throws SQLException {
        try (ResultSet rows =
                statement.executeQuery("select to_regclass('public.returns') is not null")) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    private void writePassword(String password) {
        try {
            Files.deleteIfExists(passwordFile);
            Files.createFile(
                    passwordFile,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.writeString(passwordFile, password);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.SOURCE_QUERY_FAILED,
                    "Cannot write the password file " + passwordFile + ": " + e.getMessage(),
                    e);
        }
    }

    static String resource(String name) {
        try (InputStream stream = DemoShop.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("Missing resource " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.INTERNAL, "Cannot read resource " + name + ": " + e.getMessage(), e);
        }
    }
}
