package io.weir.ledger.outside;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideReplies.Changed;
import io.weir.ledger.outside.Turn.Note;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Publishing to targets that cannot be fenced: the statement is sent at most once under one token,
 * and what became of a lost one only a person can say.
 */
final class OutsidePublishing {
    /** What a person looks at before settling a run; every answer stays in the events. */
    static final List<String> CHECKLIST = List.of(
            "Is the publishing statement still running, or queued, at the engine?",
            "Does the history of the engine show it finished, and how?",
            "When was the target (partition) last written, before or after publishStartedAt?",
            "Do count and sums of the target equal those of the staging, or of the older load?",
            "Is nobody else writing to the target now?");

    private final OutsideTransactions transactions;
    private final OutsideSettings settings;

    OutsidePublishing(OutsideTransactions transactions, OutsideSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    /** Whether the caller publishes. */
    Changed claim(RunId runId, String token, Actor actor) {
        return transactions.run("claim publishing of run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            if (run.state() == RunState.PUBLISHING) {
                return new Changed(run.state(), isOwner(run, token));
            }
            if (run.state() != RunState.STAGING_VALIDATED) {
                return new Changed(run.state(), false);
            }
            Columns changes = new Columns()
                    .set("state", RunState.PUBLISHING.name())
                    .set("publish_token_digest", Digests.sha256(token))
                    .set("publish_started_at", turn.now())
                    .set("heartbeat_at", turn.now());
            OutsideRun after = turn.move(run, changes, Note.info("PUBLISH_STARTED"));
            return new Changed(after.state(), true);
        });
    }

    Changed result(RunId runId, OutsideRequests.PublishResult result, Actor actor) {
        return transactions.run("record the publish result of run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            if (!isOwner(run, result.token())) {
                throw WeirException.of(
                        ErrorCode.PUBLISH_TOKEN_MISMATCH,
                        "Cannot record the publish result of run " + runId
                                + ": another token publishes it (state=" + run.state() + ")",
                        Map.of("runStatus", run.state().name()));
            }
            if (run.state() == result.outcome()) {
                return new Changed(run.state(), false);
            }
            if (run.state() != RunState.PUBLISHING) {
                throw Turn.mismatch(run, "record the publish result of", RunState.PUBLISHING);
            }
            String code = result.code() == null ? result.outcome().name() : result.code();
            Failure failure = new Failure("PUBLISH", code, result.message());
            OutsideRun after = switch (result.outcome()) {
                case PUBLISHED -> published(turn, run, "PUBLISH_FINISHED", null);
                case FAILED_PUBLISH ->
                    turn.end(
                            run,
                            RunState.FAILED_PUBLISH,
                            failure,
                            Note.error("PUBLISH_FAILED", text(failure)));
                default -> unknown(turn, run, failure);
            };
            return new Changed(after.state(), true);
        });
    }

    private static String text(Failure failure) {
        return failure.code() + " " + failure.message();
    }

    private static OutsideRun published(
            Turn turn, OutsideRun run, String event, @Nullable String reason) {
        Columns changes = new Columns()
                .set("state", RunState.PUBLISHED.name())
                .set("published_at", turn.now())
                .set("heartbeat_at", turn.now())
                .setFailure(null);
        return turn.move(run, changes, Note.info(event), reason);
    }

    static OutsideRun unknown(Turn turn, OutsideRun run, Failure failure) {
        Columns changes = new Columns()
                .set("state", RunState.PUBLISH_UNKNOWN.name())
                .set("heartbeat_at", turn.now())
                .setFailure(failure);
        return turn.move(run, changes, Note.error("PUBLISH_UNKNOWN", text(failure)));
    }

    private static boolean isOwner(OutsideRun run, String token) {
        String digest = run.publishTokenDigest();
        return digest != null && Digests.same(digest, Digests.sha256(token));
    }

    /** Settles a run whose outcome nobody but a person can tell. */
    Changed resolve(RunId runId, OutsideRequests.Resolve request, Operator operator, Actor actor) {
        return transactions.run("settle the publishing of run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            if (run.state() == request.resolution()) {
                return new Changed(run.state(), false);
            }
            if (run.state() != RunState.PUBLISH_UNKNOWN) {
                throw Turn.mismatch(run, "settle the publishing of", RunState.PUBLISH_UNKNOWN);
            }
            checkEvidence(turn, run, request);
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("operator", operator.name());
            facts.put("reason", operator.reason());
            facts.put("resolution", request.resolution().name());
            request.evidence().forEach(seen -> facts.put("saw: " + seen.check(), seen.finding()));
            if (request.evidence().isEmpty()) {
                facts.put("evidence", "none: settled by the older body, on the reason alone");
            }
            turn.note(
                    runId,
                    Note.warn(
                            "PUBLISH_UNKNOWN_RESOLVED", operator.name() + ": " + operator.reason()),
                    facts);
            OutsideRun after = request.resolution() == RunState.PUBLISHED
                    ? published(turn, run, "PUBLISH_FINISHED", operator.reason())
                    : turn.end(
                            run,
                            RunState.FAILED_PUBLISH,
                            new Failure("PUBLISH", "PUBLISH_UNKNOWN_RESOLVED", operator.reason()),
                            Note.error("PUBLISH_FAILED", operator.reason()),
                            operator.reason());
            return new Changed(after.state(), true);
        });
    }

    /**
     * A finding for each line of the checklist. Only the older body, which has no evidence at all,
     * goes without, and only for a run whose flow never used a field that is newer.
     */
    private static void checkEvidence(Turn turn, OutsideRun run, OutsideRequests.Resolve request) {
        List<String> seen = request.evidence().stream()
                .filter(one -> !one.finding().isBlank())
                .map(OutsideRequests.Evidence::check)
                .toList();
        List<String> missing =
                CHECKLIST.stream().filter(check -> !seen.contains(check)).toList();
        boolean older = request.evidence().isEmpty() && isLegacy(turn, run);
        if (!older && !missing.isEmpty()) {
            throw WeirException.of(
                    ErrorCode.REQUEST_INVALID,
                    "Cannot settle the publishing of run " + run.id()
                            + ": checks without a finding (missing=" + missing.size() + ")",
                    Map.of(
                            "fields",
                            missing.stream()
                                    .map(check -> "/evidence: nothing on: " + check)
                                    .toList()));
        }
    }

    /** Whether the flow sent nothing that the older design does not know. */
    private static boolean isLegacy(Turn turn, OutsideRun run) {
        if (run.idempotencyKey() != null || run.validatorDigest() != null) {
            return false;
        }
        Map<PartitionId, String> claimed = new HashMap<>();
        for (OutsidePartition partition : turn.books.partitions(run.id())) {
            claimed.put(partition.id(), OutsideExtracts.claimPath(run, partition));
        }
        return turn.books.countedChunks(run.id()).stream()
                .noneMatch(chunk -> chunk.path()
                        .startsWith(Objects.requireNonNull(claimed.get(chunk.partitionId()))));
    }
}
