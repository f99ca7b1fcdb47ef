package io.weir.flow.replicate;

import io.weir.flow.changelog.LogStep;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.testkit.postgresql.TestDatabase;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Merges a shelf in a process of its own, and at one step waits for its end. */
final class OutsideProgram {
    private OutsideProgram() {}

    /** Host, port, user, password and name of the books, directory, shelf, last step. */
    public static void main(String[] args) {
        TestDatabase books =
                new TestDatabase(args[0], Integer.parseInt(args[1]), args[4], args[2], args[3]);
        PrintWriter said = new PrintWriter(
                new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        try (OutsideHouse house = new OutsideHouse(books, Path.of(args[5]))) {
            house.new Shelf(args[6]).numbered().key().once(new ReplicateListener() {
                @Override
                public void step(LogStep step) {
                    reached(step.name(), args[7], said);
                }

                @Override
                public void step(ReplicaWindow window, WindowStep step) {
                    reached(step.name(), args[7], said);
                }
            });
        }
    }

    private static void reached(String step, String last, PrintWriter said) {
        if (step.equals(last)) {
            said.println(step);
            new Semaphore(0).acquireUninterruptibly();
        }
    }

    /** Starts one. */
    static Process start(OutsideHouse house, Path directory, String shelf, String last)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(OutsideProgram.class.getName());
        command.addAll(List.of(
                house.books.host(),
                Integer.toString(house.books.port()),
                house.books.user(),
                house.books.password(),
                house.books.name(),
                directory.toString(),
                shelf,
                last));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
