package io.weir.bench;

import io.weir.ledger.embedded.EmbeddedServer;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL's own benchmark, against a database of the same server. */
final class PgBench {
    /** A million accounts, so that no two clients meet in a row. */
    private static final int SCALE = 10;

    private static final String DATABASE = "pgbench";
    private static final Pattern RATE = Pattern.compile("(?m)^tps = ([0-9.]+) ");

    private final EmbeddedServer server;
    private final Path program;

    PgBench(EmbeddedServer server) {
        this.server = server;
        this.program = Programs.find("pgbench", "postgresql");
    }

    void fill() throws IOException, InterruptedException {
        server.createDatabase(DATABASE);
        call("-i", "-q", "-s", Integer.toString(SCALE));
    }

    /** Transactions per second of update, select and insert, one commit each. */
    double simpleUpdate(int clients, int seconds) throws IOException, InterruptedException {
        String text = call(
                "-n",
                "-M",
                "prepared",
                "-b",
                "simple-update",
                "-c",
                Integer.toString(clients),
                "-j",
                "2",
                "-T",
                Integer.toString(seconds));
        Matcher rate = RATE.matcher(text);
        if (!rate.find()) {
            throw new IllegalStateException("Cannot read what pgbench says: " + text);
        }
        return Double.parseDouble(rate.group(1));
    }

    private String call(String... options) throws IOException, InterruptedException {
        URI address = URI.create(server.url(DATABASE).substring("jdbc:".length()));
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of("-h", address.getHost(), "-p", "" + address.getPort()));
        command.addAll(List.of("-U", server.user()));
        command.addAll(List.of(options));
        command.add(DATABASE);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PGPASSWORD", server.password());
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("pgbench failed: " + text);
        }
        return text;
    }
}
