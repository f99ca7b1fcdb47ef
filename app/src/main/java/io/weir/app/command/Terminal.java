package io.weir.app.command;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.PrintWriter;
import java.util.Objects;

/** The process in which a command runs: its output. */
final class Terminal {
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
}
