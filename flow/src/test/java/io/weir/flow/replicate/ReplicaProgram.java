package io.weir.flow.replicate;

import io.weir.core.run.Run;
import io.weir.engine.MergeStrategy;
import io.weir.flow.changelog.LogStep;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadListener;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.testkit.postgresql.TestDatabase;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Replicates the job of a house in a process of its own and says every step. */
final class ReplicaProgram {
    private ReplicaProgram() {}

    /** Host, port, user, password, names of source and books, directory. */
    public static void main(String[] args) {
        int port = Integer.parseInt(args[1]);
        TestDatabase source = new TestDatabase(args[0], port, args[4], args[2], args[3]);
        TestDatabase books = new TestDatabase(args[0], port, args[5], args[2], args[3]);
        PrintWriter said = new PrintWriter(
                new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        try (ReplicaHouse house = new ReplicaHouse(source, books, Path.of(args[6]))) {
            house.forever(
                    house.job(
                            MergeStrategy.ROW_HASH,
                            Initial.SNAPSHOT,
                            ReplicaHouse.TABLES,
                            Duration.ZERO),
                    new Cancellation(),
                    new Loud(said));
        }
    }

    /** Names each step as the test names them. */
    private record Loud(PrintWriter said) implements ReplicateListener {
        @Override
        public LoadListener loads() {
            return new LoadListener() {
                @Override
                public void extracted(Run run) {
                    said.println("LOAD_EXTRACTED");
                }

                @Override
                public void audited(Run run) {
                    said.println("LOAD_AUDITED");
                }

                @Override
                public void published(Run run) {
                    said.println("LOAD_PUBLISHED");
                }

                @Override
                public void ended(Run run) {
                    said.println("LOAD_ENDED");
                }
            };
        }

        @Override
        public void loaded(Replica replica) {
            said.println("LOADED");
        }

        @Override
        public void step(LogStep step) {
            said.println("LOG_" + step);
        }

        @Override
        public void step(ReplicaWindow window, WindowStep step) {
            said.println("WINDOW_" + step);
        }

        @Override
        public void stopped(Replica replica) {
            said.println("STOPPED " + replica.stop());
        }
    }

    static Path complaints(Path directory) {
        return directory.resolve("complaints");
    }

    /** Starts one, which appends its complaints to the file {@code complaints}. */
    static Process start(TestDatabase source, TestDatabase books, Path directory)
            throws java.io.IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(ReplicaProgram.class.getName());
        command.addAll(List.of(
                source.host(),
                Integer.toString(source.port()),
                source.user(),
                source.password(),
                source.name(),
                books.name(),
                directory.toString()));
        return new ProcessBuilder(command)
                .redirectError(
                        ProcessBuilder.Redirect.appendTo(complaints(directory).toFile()))
                .start();
    }
}
