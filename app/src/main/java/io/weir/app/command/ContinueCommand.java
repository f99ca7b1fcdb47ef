package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.console.ReplicaText;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/** {@code weir continue}: lets a stopped table go on from where it is. */
@Command(
        name = "continue",
        description = {
            "Let a stopped table go on from where it is, once the cause is mended.",
            "The window is judged again; nothing is waived."
        },
        mixinStandardHelpOptions = true)
public final class ContinueCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Parameters(
            paramLabel = "TABLE",
            description = "The table, as the lake or the source names it.")
    private String table = "";

    @Override
    public Integer call() {
        try (Composition house = ledger.compose()) {
            ReplicaBooks books = house.ledger().replicas();
            Replica found = books.replica(table);
            Replica now = books.resumed(found.job(), found.table(), operator.operator());
            Terminal.out(spec).print(ReplicaText.of(List.of(now)));
        }
        return 0;
    }
}
