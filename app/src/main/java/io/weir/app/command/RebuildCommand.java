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

/** {@code weir rebuild}: has a replicated table loaded anew. */
@Command(
        name = "rebuild",
        description = {
            "Have a replicated table loaded anew by the next window of its job, with a change log"
                    + " of its own from there on. Readers see the old rows until then."
        },
        mixinStandardHelpOptions = true)
public final class RebuildCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private WishOptions operator = new WishOptions();

    @Parameters(
            paramLabel = "TABLE",
            description = "The table, as the lake or the source names it.")
    private String table = "";

    @Override
    public Integer call() {
        try (Composition house = ledger.compose()) {
            ReplicaBooks books = house.ledger().replicas();
            Replica found = books.replica(table);
            Replica now = books.rebuild(found.job(), found.table(), operator.operator());
            Terminal.out(spec).print(ReplicaText.of(List.of(now)));
        }
        return 0;
    }
}
