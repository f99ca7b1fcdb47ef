package io.weir.core.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * Why a run is in its state.
 *
 * @param at the time of the ledger that every time is compared with
 * @param findings worst first, never empty
 */
public record Explanation(RunId runId, RunState state, Instant at, List<Finding> findings) {
    public Explanation {
        findings = List.copyOf(findings);
        if (findings.isEmpty()) {
            throw new IllegalArgumentException("An explanation has findings");
        }
    }

    /** The one sentence for lists: the cause of the worst finding. */
    public String summary() {
        return findings.get(0).cause();
    }

    /**
     * The document of programs. Fields are added, never renamed; every field is there, null where
     * there is nothing to say; times are RFC 3339 in UTC.
     *
     * <ul>
     *   <li>{@code run}, {@code state}, {@code at}: which run, in which state, at which time
     *   <li>{@code findings[]}, worst first: {@code code} of {@link FindingCode}, {@code severity}
     *       of {@link Severity}, {@code since} or null, {@code cause}
     *   <li>{@code findings[].evidence[]}: {@code label}, {@code value}
     *   <li>{@code findings[].next}, or null: {@code what}, {@code at} or null, {@code overdue}
     *   <li>{@code findings[].actions[]}: {@code text}, {@code command} or null
     * </ul>
     */
    public ObjectNode json() {
        ObjectNode json = Json.object();
        json.put("run", runId.toString());
        json.put("state", state.name());
        json.put("at", at.toString());
        ArrayNode array = json.putArray("findings");
        findings.forEach(finding -> array.add(json(finding)));
        return json;
    }

    private static ObjectNode json(Finding finding) {
        ObjectNode json = Json.object();
        json.put("code", finding.code().name());
        json.put("severity", finding.severity().name());
        json.put("since", text(finding.since()));
        json.put("cause", finding.cause());
        ArrayNode evidence = json.putArray("evidence");
        for (Evidence fact : finding.evidence()) {
            evidence.addObject().put("label", fact.label()).put("value", fact.value());
        }
        Next next = finding.next();
        if (next == null) {
            json.putNull("next");
        } else {
            json.putObject("next")
                    .put("what", next.what())
                    .put("at", text(next.at()))
                    .put("overdue", next.overdue());
        }
        ArrayNode actions = json.putArray("actions");
        for (Action action : finding.actions()) {
            actions.addObject().put("text", action.text()).put("command", action.command());
        }
        return json;
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
