package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.console.ReplicaText;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.Replication;
import io.weir.table.ReplicaState;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/** {@code weir rollback}: makes an earlier snapshot of a replicated table the current one. */
@Command(
        name = "rollback",
        description = {
            "Make an earlier snapshot of a replicated table the one that readers see.",
            "Its position goes back with it: the next window merges the changes since then again."
        },
        mixinStandardHelpOptions = true)
public final class RollbackCommand implements Callable<Integer> {
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

    @Option(
            names = "--to",
            required = true,
            paramLabel = "SNAPSHOT",
            description = "Id of the snapshot.")
    private long snapshot;

    @Override
    public Integer call() {
        try (Composition house = ledger.compose()) {
            ReplicaBooks books = house.ledger().replicas();
            Replica found = books.replica(table);
            Replication replication = books.replication(found.job());
            if (replication.isHeld(books.now())) {
                throw new WeirException(
                        ErrorCode.REPLICATION_BUSY,
                        "Cannot roll back table " + found.target() + ": its job is replicated now"
                                + " (owner=" + replication.owner() + ")",
                        "Run weir pause " + found.job() + " first.",
                        null);
            }
            ReplicaState state = house.catalog().replica(found.target()).rollback(snapshot);
            Replica now = books.rolledBack(
                    found.job(),
                    found.table(),
                    new LogPlace(state.merged().place(), state.merged().text()),
                    operator.operator());
            Terminal.out(spec).print(ReplicaText.of(List.of(now)));
        }
        return 0;
    }
}
