package io.weir.app.command;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Operator;

import picocli.CommandLine.Option;

/** Who acts on a run, and why; both stay in its events. */
final class OperatorOptions {
    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Why; kept with the run.")
    private String reason = "";

    @Option(
            names = "--by",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Who (default: ${DEFAULT-VALUE}).")
    private String by = "";

    Operator operator() {
        if (by.isBlank() || reason.isBlank()) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID, "Cannot act on a run without a name and a reason");
        }
        return new Operator(by, reason);
    }
}
