package io.weir.core.explain;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An explanation as lines for people; times are relative to the time of the ledger. */
public final class ExplanationText {
    private static final String INDENT = "      ";

    private final Instant now;
    private final List<String> lines = new ArrayList<>();

    private ExplanationText(Instant now) {
        this.now = now;
    }

    /** Plain lines without a line end: the run, then its findings, worst first. */
    public static List<String> of(Explanation explanation) {
        ExplanationText text = new ExplanationText(explanation.at());
        text.lines.add("Run " + explanation.runId() + " is " + explanation.state() + ".");
        explanation.findings().forEach(text::add);
        return List.copyOf(text.lines);
    }

    private void add(Finding finding) {
        lines.add(String.format(Locale.ROOT, "%-5s %s", finding.severity(), finding.cause()));
        Instant since = finding.since();
        if (since != null) {
            line("since", Words.relative(since, now));
        }
        for (Evidence fact : finding.evidence()) {
            Instant at = fact.at();
            line(fact.label(), at == null ? oneLine(fact.value()) : Words.relative(at, now));
        }
        Next next = finding.next();
        if (next != null) {
            line("next", next.what() + when(next.at(), next.overdue()));
        }
        for (Action action : finding.actions()) {
            String command = action.command();
            line("do", command == null ? action.text() : action.text() + ": " + command);
        }
    }

    private String when(@Nullable Instant at, boolean overdue) {
        if (at == null) {
            return "";
        }
        return overdue ? ", overdue: " + Words.ago(at, now) : ", " + Words.relative(at, now);
    }

    private void line(String label, String text) {
        lines.add(INDENT + label + ": " + text);
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
