package io.weir.app.command;

import io.weir.flow.load.Cancellation;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The process in which a command runs: its output and its signals. */
final class Terminal {
    private static final long CLOSING_SECONDS = 20;

    private Terminal() {}

    static PrintWriter out(@Nullable CommandSpec spec) {
        return Objects.requireNonNull(spec, "picocli sets the spec")
                .commandLine()
                .getOut();
    }

    static PrintWriter err(@Nullable CommandSpec spec) {
        return Objects.requireNonNull(spec, "picocli sets the spec")
                .commandLine()
                .getErr();
    }

    /**
     * On an interrupt the work is asked to stop, and the process waits until the calling thread has
     * closed the run in the books.
     */
    static Cancellation cancelOnInterrupt() {
        Cancellation cancellation = new Cancellation();
        Thread working = Thread.currentThread();
        Thread hook = new Thread(
                () -> {
                    cancellation.request();
                    try {
                        TimeUnit.SECONDS.timedJoin(working, CLOSING_SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "weir-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        return cancellation;
    }
}
