package io.weir.app;

import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A directory with a job file, a source and a ledger, used by nothing but the command line. */
final class CommandLineHouse {
    static final String PASSWORD = "kanarienvogel-4711";

    final TestDatabase shop = TestPostgres.shared().createDatabase();
    final TestDatabase books = TestPostgres.shared().createDatabase();
    final Path directory;

    CommandLineHouse(Path directory) {
        this.directory = directory;
    }

    /** What a command printed, and how it ended. */
    record Output(int exitCode, String out, String err) {
        /** The id of the run that the output names first. */
        String run() {
            java.util.regex.Matcher matcher = java.util.regex.Pattern.compile(
                            "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
                    .matcher(out + err);
            if (!matcher.find()) {
                throw new IllegalStateException("No run in " + out + err);
            }
            return matcher.group();
        }
    }

    Output weir(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        if (!all.contains("--home")) {
            all.addAll(List.of("--home", directory.resolve("home").toString()));
        }
        int exitCode =
                Weir.run(all.toArray(String[]::new), new PrintWriter(out), new PrintWriter(err));
        return new Output(exitCode, out.toString(), err.toString());
    }

    /** The job file with one job, {@code orders}, as most tests need it. */
    Path jobFile() {
        return jobFile(job("orders", "public.orders", "sales.orders", ""));
    }

    static String job(String name, String table, String into, String more) {
        return """
                  %s:
                    load: { source: shop, table: %s, into: %s%s }
                    publish: replace
                """.formatted(name, table, into, more);
    }

    Path jobFile(String jobs) {
        return jobFile(jobs, shop.url(), shop.user(), shop.password());
    }

    Path jobFile(String jobs, String url, String user, String password) {
        return write("job.yaml", """
                ledger: { url: "%s", user: %s, password: %s }
                lake: { warehouse: ./lake }
                sources:
                  shop: { url: "%s", user: %s, password: "%s" }
                jobs:
                %s""".formatted(
                        books.url(), books.user(), books.password(), url, user, password, jobs));
    }

    Path write(String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
