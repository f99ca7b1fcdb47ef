package io.weir.server.outside;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.OutsideReplies.Detail;
import io.weir.ledger.outside.OutsideRun;

/** What an outside run waits for, and what to do. Pure. */
final class OutsideExplain {
    private OutsideExplain() {}

    static ObjectNode of(Detail detail) {
        OutsideRun run = detail.run();
        ObjectNode node = Json.object()
                .put("runId", run.id().toString())
                .put("runStatus", run.state().name())
                .put("situation", situation(detail))
                .put("next", next(detail));
        ArrayNode checklist = node.putArray("checklist");
        if (run.state() == RunState.PUBLISH_UNKNOWN) {
            OutsideLedger.checklist().forEach(checklist::add);
        }
        return node;
    }

    private static String situation(Detail detail) {
        OutsideRun run = detail.run();
        Failure failure = run.failure();
        if (run.state().isTerminal()) {
            return failure == null
                    ? "The run ended as " + run.state() + "."
                    : "The run ended as " + run.state() + ": " + failure.code() + " "
                            + failure.message();
        }
        return switch (run.state()) {
            case CREATED -> "The flow has not registered its manifest.";
            case EXTRACTING ->
                run.succeededPartitions() + " of " + run.partitionCount()
                        + " partitions arrived, " + count(detail, PartitionState.RUNNING)
                        + " are being read.";
            case EXTRACTED_VALIDATED -> "Everything arrived; the receiver is asked to validate.";
            case STAGE_VALIDATING -> "The flow measures what is staged.";
            case STAGING_VALIDATED -> "What is staged passed; the flow has to publish it.";
            case PUBLISHING -> "The flow publishes since " + run.publishStartedAt() + ".";
            case PUBLISH_UNKNOWN ->
                "The outcome of publishing is not known"
                        + (failure == null ? "." : ": " + failure.code() + ".");
            default -> "The rows are published; the flow has to measure the target.";
        };
    }

    private static String next(Detail detail) {
        OutsideRun run = detail.run();
        boolean dead = detail.dispatches().stream()
                .anyMatch(dispatch -> dispatch.state() == DispatchState.DEAD);
        if (run.state() == RunState.PUBLISH_UNKNOWN) {
            return "Go through the checklist, then POST publish-unknown/resolve with what you"
                    + " found.";
        }
        if (run.state().isTerminal()) {
            return run.state() == RunState.SUCCESS
                    ? "Nothing; it may be cleaned up after once retention is over."
                    : "Mend the cause and create a new run.";
        }
        if (dead) {
            return "The receiver did not take a call: mend it, then POST"
                    + " dispatches/{dispatchId}/resend.";
        }
        return run.state().isBeforePublishing()
                ? "Wait, or POST cancel; the run ends by itself at " + run.deadline() + "."
                : "Wait for the flow; look into its log if this takes long.";
    }

    private static long count(Detail detail, PartitionState state) {
        return detail.partitions().stream()
                .filter(partition -> partition.state() == state)
                .count();
    }
}
