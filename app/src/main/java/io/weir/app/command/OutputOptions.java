package io.weir.app.command;

import io.weir.app.console.ProgressPrinter;

import picocli.CommandLine.Option;

/** How a command prints. */
final class OutputOptions {
    /** The launcher knows whether the output is a terminal; Java cannot tell of one side alone. */
    private static final String TERMINAL = "weir.terminal";

    @Option(names = "--json", description = "Print JSON for programs.")
    private boolean json;

    boolean json() {
        return json;
    }

    /** A live display needs a terminal; a pipe gets lines. */
    ProgressPrinter.Form progress() {
        if (json) {
            return ProgressPrinter.Form.JSON;
        }
        return Boolean.getBoolean(TERMINAL)
                ? ProgressPrinter.Form.LIVE
                : ProgressPrinter.Form.LINES;
    }
}
