package io.weir.app.command;

import io.weir.core.run.Operator;

import picocli.CommandLine.Option;

/** Who wants something of a replicated table or job, and why if there is more to say. */
final class WishOptions {
    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            defaultValue = "none given",
            description = "Why; kept in the books.")
    private String reason = "";

    @Option(
            names = "--by",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Who (default: ${DEFAULT-VALUE}).")
    private String by = "";

    Operator operator() {
        return new Operator(
                by.isBlank() ? "unknown" : by, reason.isBlank() ? "none given" : reason);
    }
}
