package io.weir.app.command;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.app.Composition;
import io.weir.app.console.OutsideText;
import io.weir.app.console.RunText;
import io.weir.core.certificate.Certificate;
import io.weir.core.json.Json;
import io.weir.core.ledger.RunDetail;
import io.weir.core.run.Event;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code weir show}: state, partitions, attempts and events of one run. */
@Command(
        name = "show",
        description = "Show one run: state, partitions, attempts, events.",
        mixinStandardHelpOptions = true)
public final class ShowCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    private String run = "";

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        RunId runId = RunId.parse(run);
        try (Composition house = served.in(ledger.compose())) {
            Optional<RunDetail> own = EitherRun.own(house, runId);
            if (own.isEmpty()) {
                outside(house, runId, out);
                return 0;
            }
            RunDetail detail = own.get();
            List<Event> events = house.work().events(runId);
            if (output.json()) {
                ObjectNode json = new Certificate(detail).json().put("kind", "own");
                for (Event event : events) {
                    json.withArray("events")
                            .addObject()
                            .put("at", event.at().toString())
                            .put("event", event.name())
                            .put(
                                    "partition",
                                    event.partitionId() == null
                                            ? null
                                            : event.partitionId().value())
                            .set("details", event.details());
                }
                out.println(Json.line(json));
            } else {
                out.print(RunText.of(detail, events));
            }
        }
        return 0;
    }

    private void outside(Composition house, RunId runId, PrintWriter out) {
        ObjectNode run = house.outside().detail(runId).put("kind", "outside");
        ObjectNode events = house.outside().events(runId);
        if (output.json()) {
            run.set("events", events.path("events"));
            out.println(Json.line(run));
        } else {
            out.print(OutsideText.of(run, events));
        }
    }
}
