package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.ledger.replica.Replication;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** {@code weir pause}: lets a replicated job rest. */
@Command(
        name = "pause",
        description = "Let a replicated job rest; the source keeps its log meanwhile.",
        mixinStandardHelpOptions = true)
public final class PauseCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private WishOptions operator = new WishOptions();

    @Parameters(paramLabel = "JOB", description = "Name of the replicated job.")
    private String job = "";

    @Override
    public Integer call() {
        try (Composition house = ledger.compose()) {
            Replication now = house.ledger().replicas().pause(job, operator.operator());
            Terminal.out(spec).println("Job " + now.job() + " is " + now.state());
        }
        return 0;
    }
}
