package io.weir.app.command;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.app.Composition;
import io.weir.app.console.OutsideText;
import io.weir.core.explain.Explain;
import io.weir.core.explain.ExplainSettings;
import io.weir.core.explain.Explanation;
import io.weir.core.explain.ExplanationText;
import io.weir.core.explain.Situation;
import io.weir.core.json.Json;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.RunId;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.loop.Loops;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code weir explain}: why a run is in its state, what happens next, what a person can do. */
@Command(
        name = "explain",
        description = "Say why a run is in its state, what happens next and when, and what you can"
                + " do.",
        mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
    private static final int RUNS_LOOKED_AT = 1_000;
    private static final Duration SIGN_FRESH = Duration.ofSeconds(30);
    private static final Duration ROWS_WITHIN = Duration.ofMinutes(5);

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
            Explanation explanation = Explain.of(new Situation(
                    detail,
                    house.work().workers(),
                    blocking(house.work(), detail),
                    settings(house.ledgerSettings())));
            if (output.json()) {
                out.println(Json.line(explanation.json().put("kind", "own")));
            } else {
                ExplanationText.of(explanation).forEach(out::println);
            }
        }
        return 0;
    }

    private void outside(Composition house, RunId runId, PrintWriter out) {
        ObjectNode explained = house.outside().explained(runId).put("kind", "outside");
        if (output.json()) {
            out.println(Json.line(explained));
        } else {
            OutsideText.explained(explained).forEach(out::println);
        }
    }

    /** The attempt of another run that keeps the target taken. */
    private static @Nullable PublishAttempt blocking(Ledger ledger, RunDetail detail) {
        return ledger.runs(new RunFilter(null, true, RUNS_LOOKED_AT)).stream()
                .filter(other -> other.target().equals(detail.run().target())
                        && !other.id().equals(detail.run().id()))
                .flatMap(other -> ledger.detail(other.id()).attempts().stream())
                .filter(attempt -> attempt.state() == AttemptState.OPEN
                        || attempt.state() == AttemptState.UNKNOWN)
                .findFirst()
                .orElse(null);
    }

    private static ExplainSettings settings(LedgerSettings settings) {
        return new ExplainSettings(
                Loops.SWEEP_INTERVAL,
                settings.grace(),
                settings.claimLease(),
                settings.claimsMax(),
                settings.dispatch().attemptsMax(),
                settings.dispatch().ackTimeout(),
                settings.cyclesMax(),
                SIGN_FRESH,
                ROWS_WITHIN);
    }
}
