package io.weir.ledger.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.TestBooks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Real processes: started, killed and counted. */
class EmbeddedServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LONG = "600000";

    @TempDir
    Path directory;

    @BeforeEach
    void prepare(TestInfo test) throws IOException {
        if (!test.getTags().contains("unpacks")) {
            borrowPrograms();
        }
    }

    @AfterEach
    void stopServer() {
        EmbeddedServer.stop(home());
    }

    /** Unpacking is tried once; the other tests borrow its result. */
    private void borrowPrograms() throws IOException {
        TestBooks.ledger();
        Files.createDirectories(home());
        try (Stream<Path> entries = Files.list(TestBooks.HOME)) {
            for (Path entry : entries.toList()) {
                if (String.valueOf(entry.getFileName()).startsWith("server-")) {
                    Files.createSymbolicLink(
                            home().resolve(entry.getFileName()), entry.toAbsolutePath());
                }
            }
        }
    }

    @Test
    void keepsItsPromisesInSettingsAndFileModes() throws Exception {
        EmbeddedServer server = EmbeddedServer.attach(home(), Map.of("wal_level", "logical"));

        assertThat(setting(server, "fsync")).isEqualTo("on");
        assertThat(setting(server, "synchronous_commit")).isEqualTo("on");
        assertThat(setting(server, "full_page_writes")).isEqualTo("on");
        assertThat(setting(server, "data_checksums")).isEqualTo("on");
        assertThat(setting(server, "listen_addresses")).isEqualTo("127.0.0.1");
        assertThat(setting(server, "server_encoding")).isEqualTo("UTF8");
        assertThat(setting(server, "wal_level")).isEqualTo("logical");
        assertThat(ServerProcesses.mode(home().resolve("data"))).isEqualTo("rwx------");
        assertThat(ServerProcesses.mode(home().resolve("password"))).isEqualTo("rw-------");
        assertThat(server.url("shop")).matches("jdbc:postgresql://127\\.0\\.0\\.1:[0-9]+/shop");
        assertThat(server.user()).isEqualTo("weir");
        assertThatThrownBy(() -> DriverManager.getConnection(server.url("postgres"), "weir", "x"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password authentication failed");
    }

    @Test
    void showsThePasswordInNoProcessAndNoLog() throws Exception {
        EmbeddedServer server = EmbeddedServer.attach(home(), Map.of());

        String password = server.password();
        assertThat(password).hasSize(48);
        assertThat(ServerProcesses.all(home())).isNotEmpty();
        ProcessHandle.allProcesses()
                .forEach(process -> assertThat(Postmaster.command(process.pid()))
                        .noneMatch(word -> word.contains(password)));
        try (Stream<Path> files = Files.list(home())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("password")) {
                    assertThat(Files.readString(file)).doesNotContain(password);
                }
            }
        }
    }

    @Test
    void givesTwoCommandsAtOnceTheSameServer() throws Exception {
        Process first = attachInOtherProcess(LONG);
        Process second = attachInOtherProcess(LONG);

        assertThat(first.waitFor(PATIENCE.toSeconds(), SECONDS)).isTrue();
        assertThat(second.waitFor(PATIENCE.toSeconds(), SECONDS)).isTrue();
        assertThat(first.exitValue()).isZero();
        assertThat(second.exitValue()).isZero();
        assertThat(ServerProcesses.postmasters(home())).hasSize(1);
        assertThat(ServerProcesses.keepers(home())).hasSize(1);
    }

    @Test
    void givesTwoThreadsAtOnceTheSameServer() throws Exception {
        List<EmbeddedServer> servers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(
                    () -> {
                        EmbeddedServer server = EmbeddedServer.attach(home(), Map.of());
                        synchronized (servers) {
                            servers.add(server);
                        }
                    },
                    "attach-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
        }

        assertThat(servers).hasSize(2);
        assertThat(servers.get(0).url("x")).isEqualTo(servers.get(1).url("x"));
        assertThat(ServerProcesses.postmasters(home())).hasSize(1);
    }

    @Test
    void keepsAcknowledgedRowsWhenThePostmasterIsKilled() throws Exception {
        EmbeddedServer server =
                EmbeddedServer.attach(home(), Map.of(EmbeddedServer.IDLE_SETTING, LONG));
        server.createDatabase("books");
        server.createDatabase("books");
        execute(server, "create table entry (id int primary key)");
        int acknowledged = 0;
        try (Connection connection = connect(server, "books");
                Statement statement = connection.createStatement()) {
            for (int id = 1; id <= 200; id++) {
                acknowledged += statement.executeUpdate("insert into entry values (" + id + ")");
            }
            long pid = ServerProcesses.postmasters(home()).get(0);
            ServerProcesses.kill(pid);
        }

        EmbeddedServer again = EmbeddedServer.attach(home(), Map.of());

        assertThat(acknowledged).isEqualTo(200);
        assertThat(query(again, "select count(*) || ':' || sum(id) from entry"))
                .isEqualTo("200:20100");
        assertThat(ServerProcesses.postmasters(home())).hasSize(1);
        await().atMost(PATIENCE).until(() -> ServerProcesses.keepers(home()).size() == 1);
    }

    @Test
    void survivesTheCommandThatStartedIt() throws Exception {
        Process starter = attachInOtherProcess(LONG);
        assertThat(starter.waitFor(PATIENCE.toSeconds(), SECONDS)).isTrue();
        long postmaster = ServerProcesses.postmasters(home()).get(0);

        assertThat(starter.exitValue()).isZero();
        assertThat(ServerProcesses.session(postmaster))
                .isNotEqualTo(ServerProcesses.session(ProcessHandle.current().pid()));
        assertThat(ServerProcesses.session(ServerProcesses.keepers(home()).get(0)))
                .isNotEqualTo(ServerProcesses.session(ProcessHandle.current().pid()));
        EmbeddedServer server = EmbeddedServer.attach(home(), Map.of());
        assertThat(query(server, "postgres", "select 1")).isEqualTo("1");
        assertThat(ServerProcesses.postmasters(home())).containsExactly(postmaster);
    }

    @Test
    @Tag("unpacks")
    void recoversFromStartersKilledAtAnyStep() throws Exception {
        for (String step : List.of("unfinished-server", "unfinished-data", "server.log")) {
            Process starter = attachInOtherProcess(LONG);
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(PATIENCE)
                    .until(() -> !starter.isAlive() || ServerProcesses.hasEntry(home(), step));
            starter.destroyForcibly().waitFor(PATIENCE.toSeconds(), SECONDS);
        }

        EmbeddedServer server = EmbeddedServer.attach(home(), Map.of());

        assertThat(query(server, "postgres", "select 40 + 2")).isEqualTo("42");
        assertThat(ServerProcesses.postmasters(home())).hasSize(1);
        assertThat(ServerProcesses.hasEntry(home(), "unfinished-")).isFalse();
    }

    @Test
    void startsAlthoughTheOldPidBelongsToAStranger() throws Exception {
        EmbeddedServer.attach(home(), Map.of());
        EmbeddedServer.stop(home());
        Files.writeString(
                home().resolve("data/postmaster.pid"),
                ProcessHandle.current().pid() + "\n" + home().resolve("data") + "\n1\n5432\n\n\n");

        EmbeddedServer server = EmbeddedServer.attach(home(), Map.of());

        assertThat(query(server, "postgres", "select 1")).isEqualTo("1");
    }

    @Test
    void stopLeavesNoProcess() throws Exception {
        EmbeddedServer.attach(home(), Map.of());
        assertThat(EmbeddedServer.isRunning(home())).isTrue();
        await().atMost(PATIENCE).until(() -> ServerProcesses.keepers(home()).size() == 1);

        assertThat(EmbeddedServer.stop(home())).isTrue();

        assertThat(EmbeddedServer.isRunning(home())).isFalse();
        assertThat(ServerProcesses.all(home())).isEmpty();
        assertThat(EmbeddedServer.stop(home())).isFalse();
        assertThat(EmbeddedServer.stop(home().resolve("nowhere"))).isFalse();
    }

    @Test
    void stopsWhenNobodyUsesItAndOnlyThen() throws Exception {
        EmbeddedServer server =
                EmbeddedServer.attach(home(), Map.of(EmbeddedServer.IDLE_SETTING, "1500"));
        try (Connection connection = connect(server, "postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("select 1");
            await().during(Duration.ofSeconds(4))
                    .atMost(PATIENCE)
                    .until(() -> EmbeddedServer.isRunning(home()));
        }

        await().atMost(PATIENCE).until(() -> ServerProcesses.all(home()).isEmpty());
        assertThat(EmbeddedServer.isRunning(home())).isFalse();
    }

    @Test
    void replacesAMissingKeeper() throws Exception {
        EmbeddedServer.attach(home(), Map.of(EmbeddedServer.IDLE_SETTING, LONG));
        await().atMost(PATIENCE).until(() -> ServerProcesses.keepers(home()).size() == 1);
        long first = ServerProcesses.keepers(home()).get(0);
        ServerProcesses.kill(first);

        EmbeddedServer.attach(home(), Map.of());

        await().atMost(PATIENCE).until(() -> ServerProcesses.keepers(home()).size() == 1);
        assertThat(ServerProcesses.keepers(home()).get(0)).isNotEqualTo(first);
    }

    @Test
    void refusesSettingsThatWouldBreakItsPromises() {
        assertThatThrownBy(() -> EmbeddedServer.attach(home(), Map.of("fsync", "off")))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.EMBEDDED_SERVER_FAILED))
                .hasMessage(
                        "Cannot start embedded PostgreSQL with fsync: Weir relies on its own value"
                                + " (value=off)");
        assertThatThrownBy(() -> EmbeddedServer.attach(home(), Map.of("Work Mem", "1")))
                .hasMessage("Cannot start embedded PostgreSQL with Work Mem: not a setting of"
                        + " postgresql.conf (value=1)");
    }

    @Test
    void tellsWhatTheServerSaidWhenItDoesNotStart() {
        assertThatThrownBy(() -> EmbeddedServer.attach(home(), Map.of("no_such_setting", "1")))
                .isInstanceOf(WeirException.class)
                .hasMessageStartingWith("Cannot start embedded PostgreSQL in " + home())
                .hasMessageContaining("unrecognized configuration parameter \"no_such_setting\"");
    }

    @Test
    void refusesADataDirectoryWithoutItsPassword() throws Exception {
        EmbeddedServer.attach(home(), Map.of());
        EmbeddedServer.stop(home());
        Files.delete(home().resolve("password"));

        assertThatThrownBy(() -> EmbeddedServer.attach(home(), Map.of()))
                .hasMessageContaining("the data directory has no password file (expected=");
    }

    @Test
    @Tag("unpacks")
    void refusesToRunAsRootWhereNothingElseCanBeHad() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")));
        Path nothing = Files.createDirectory(directory.resolve("nothing"));

        Process starter = attachWithPath(nothing);

        assertThat(starter.waitFor(PATIENCE.toSeconds(), SECONDS)).isTrue();
        assertThat(Files.readString(output()))
                .contains(
                        "Cannot start embedded PostgreSQL as root: neither a user namespace nor an"
                                + " unprivileged user can be had (tried=unshare, setpriv,"
                                + " runuser)");
        assertThat(starter.exitValue()).isEqualTo(1);
    }

    @Test
    void runsAsAnotherUserWhereNoNamespaceCanBeHad() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")));
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path programs = Files.createDirectory(directory.resolve("programs"));
        for (String program : List.of("id", "setpriv", "setsid", "sh")) {
            Files.createSymbolicLink(
                    programs.resolve(program), Path.of("/usr/bin").resolve(program));
        }

        Process starter = attachWithPath(programs);

        assertThat(starter.waitFor(PATIENCE.toSeconds(), SECONDS)).isTrue();
        assertThat(Files.readString(output())).isEmpty();
        String owner = Files.getOwner(home().resolve("data")).getName();
        assertThat(owner).isIn("postgres", "nobody");
        EmbeddedServer server = EmbeddedServer.attach(home(), Map.of());
        assertThat(query(server, "postgres", "select 1")).isEqualTo("1");
    }

    private Path output() {
        return directory.resolve("output");
    }

    private Process attachWithPath(Path programs) throws IOException {
        ProcessBuilder builder = attachCommand(LONG);
        builder.environment().put("PATH", programs.toString());
        return builder.redirectOutput(output().toFile()).start();
    }

    private Path home() {
        return directory.resolve("pg");
    }

    private Process attachInOtherProcess(String idle) throws IOException {
        return attachCommand(idle)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private ProcessBuilder attachCommand(String idle) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AttachMain.class.getName(),
                        home().toString(),
                        idle)
                .redirectErrorStream(true);
    }

    private static String setting(EmbeddedServer server, String name) throws SQLException {
        return query(server, "postgres", "show " + name);
    }

    private static Connection connect(EmbeddedServer server, String database) throws SQLException {
        return DriverManager.getConnection(server.url(database), server.user(), server.password());
    }

    private static void execute(EmbeddedServer server, String sql) throws SQLException {
        try (Connection connection = connect(server, "books");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(EmbeddedServer server, String sql) throws SQLException {
        return query(server, "books", sql);
    }

    private static String query(EmbeddedServer server, String database, String sql)
            throws SQLException {
        try (Connection connection = connect(server, database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
