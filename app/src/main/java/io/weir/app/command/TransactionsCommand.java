package io.weir.app.command;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.app.Composition;
import io.weir.app.console.TextTable;
import io.weir.app.console.Texts;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.run.StreamState;
import io.weir.core.run.StreamTransaction;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

/** {@code weir transactions}: who streams records into tables at this moment. */
@Command(
        name = "transactions",
        description = "List open transactions of streaming connections, or abort one.",
        mixinStandardHelpOptions = true,
        subcommands = TransactionsCommand.Abort.class)
public final class TransactionsCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        try (Composition house = served.in(ledger.compose())) {
            List<StreamTransaction> open = house.work().streams();
            if (output.json()) {
                open.forEach(row -> out.println(Json.line(json(row))));
                return 0;
            }
            if (open.isEmpty()) {
                out.println("No open transactions.");
                return 0;
            }
            TextTable table = new TextTable(List.of(
                    "TRANSACTION",
                    "TABLE",
                    "STATE",
                    "RECORDS",
                    "BEGAN",
                    "LEASE UNTIL",
                    "AGENT",
                    "PROCESS"));
            for (StreamTransaction row : open) {
                table.add(List.of(
                        row.id().toString(),
                        row.target(),
                        row.state().name(),
                        Texts.count(row.records()),
                        Texts.second(row.begunAt()),
                        Texts.second(row.leaseUntil()),
                        row.agent(),
                        row.worker()));
            }
            out.print(table);
        }
        return 0;
    }

    private static ObjectNode json(StreamTransaction row) {
        return Json.object()
                .put("transaction", row.id().toString())
                .put("table", row.target())
                .put("state", row.state().name())
                .put("records", row.records())
                .put("source", row.source())
                .put("sequence", row.sequence())
                .put("agent", row.agent())
                .put("process", row.worker())
                .put("begun_at", row.begunAt().toString())
                .put("lease_until", row.leaseUntil().toString())
                .put("reason", row.reason());
    }

    /** Ends one. */
    @Command(
            name = "abort",
            description = "Abort an open transaction; its rows are never seen.",
            mixinStandardHelpOptions = true)
    static final class Abort implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private LedgerOptions ledger = new LedgerOptions();

        @Mixin
        private ServedLedger served = new ServedLedger();

        @Mixin
        private OperatorOptions operator = new OperatorOptions();

        @Parameters(paramLabel = "TRANSACTION", description = "Id of the transaction.")
        private String transaction = "";

        @Override
        public Integer call() {
            UUID id = id();
            try (Composition house = served.in(ledger.compose())) {
                StreamTransaction row = house.work().abortStream(id, operator.operator());
                Terminal.out(spec)
                        .println("Transaction " + id + " on " + row.target()
                                + (row.state() == StreamState.EXPIRED
                                        ? " had expired before."
                                        : " is aborted. Its connection hears of it at its next"
                                                + " sign or commit."));
            }
            return 0;
        }

        private UUID id() {
            try {
                return UUID.fromString(transaction);
            } catch (IllegalArgumentException e) {
                throw new WeirException(
                        ErrorCode.CONFIG_INVALID,
                        "Cannot abort transaction " + transaction + ": it is no id",
                        "weir transactions lists the ids.",
                        e);
            }
        }
    }
}
