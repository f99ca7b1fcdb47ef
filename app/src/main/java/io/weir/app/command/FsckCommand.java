package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.console.FsckText;
import io.weir.core.error.ErrorCode;
import io.weir.core.json.Json;
import io.weir.flow.fsck.TableCheck;
import io.weir.ledger.fsck.Finding;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code weir fsck}: whether everything holds that must hold whatever happened. */
@Command(
        name = "fsck",
        description = "Ask the ledger for everything that violates one of its invariants; changes"
                + " nothing.",
        mixinStandardHelpOptions = true)
public final class FsckCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(
            names = "--tables",
            description = "Also measure every published table and compare it with the ledger;"
                    + " reads all of its files.")
    private boolean tables;

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        try (Composition house = served.in(ledger.compose())) {
            List<Finding> ofLedger = house.ledger().fsck();
            List<Finding> ofTables = tables
                    ? new TableCheck(house.ledger(), house.catalog(), house.engine()).check()
                    : List.of();
            List<Finding> findings = new ArrayList<>(ofLedger);
            findings.addAll(ofTables);
            if (output.json()) {
                out.println(Json.line(FsckText.json(findings)));
            } else {
                out.print(FsckText.of(findings));
            }
            if (!ofLedger.stream().allMatch(Finding::isClean)) {
                return ErrorCode.LEDGER_INVARIANT.kind().exitCode();
            }
            return ofTables.stream().allMatch(Finding::isClean)
                    ? 0
                    : ErrorCode.VALIDATION_FAILED.kind().exitCode();
        }
    }
}
