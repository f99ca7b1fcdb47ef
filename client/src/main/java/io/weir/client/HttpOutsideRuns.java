package io.weir.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Outside runs of a {@code weir server}. */
final class HttpOutsideRuns implements OutsideRuns {
    private static final String RUNS = "/v1/runs";

    private final LedgerLine line;

    HttpOutsideRuns(LedgerLine line) {
        this.line = line;
    }

    @Override
    public List<ObjectNode> newest(@Nullable String job, int most) {
        // The name of a job has no letter that an address would change; others are no job there.
        if (job != null && !job.matches("[A-Z0-9_]{1,200}")) {
            return List.of();
        }
        String ofJob = job == null ? "" : "&jobKey=" + job;
        String path = RUNS + "?limit=" + Math.min(most, RUNS_MAX) + ofJob;
        List<ObjectNode> runs = new ArrayList<>();
        for (JsonNode run : line.get(path, "")) {
            runs.add((ObjectNode) run);
        }
        return runs;
    }

    @Override
    public ObjectNode detail(RunId id) {
        return of(id, "");
    }

    @Override
    public ObjectNode explained(RunId id) {
        return of(id, "/explain");
    }

    @Override
    public ObjectNode events(RunId id) {
        return of(id, "/events?limit=" + EVENTS_MAX);
    }

    private ObjectNode of(RunId id, String what) {
        return (ObjectNode) line.get(RUNS + "/" + id + what, id.toString());
    }
}
