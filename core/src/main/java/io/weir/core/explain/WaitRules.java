package io.weir.core.explain;

import io.weir.core.run.Dispatch;

import java.util.List;
import java.util.Optional;

/** A step that nobody does yet: how far its row of the outbox came. */
final class WaitRules {
    private final Facts facts;
    private final Dispatch dispatch;

    private WaitRules(Facts facts, Dispatch dispatch) {
        this.facts = facts;
        this.dispatch = dispatch;
    }

    static List<Finding> of(Facts facts) {
        return facts
                .awaited()
                .map(dispatch -> new WaitRules(facts, dispatch))
                .map(rules -> rules.finding())
                .stream()
                .toList();
    }

    private Finding finding() {
        return switch (dispatch.state()) {
            case PENDING -> pending();
            case SENT -> sent();
            case DEAD -> dead();
            case ACKED, CANCELLED ->
                throw new IllegalStateException("Nobody waits for " + dispatch.state());
        };
    }

    private Finding pending() {
        Optional<String> error = error();
        if (error.isPresent()) {
            String tries = dispatch.attempts() == 0 ? "" : ", try " + ofMost();
            return described(new Draft(
                            FindingCode.STEP_NOT_TAKEN,
                            dispatch.kind() + " is not taken yet" + tries
                                    + "; the last answer was: " + error.get() + "."))
                    .next(facts.atDelivery(
                            "it is delivered again unless it is taken first", dispatch.dueAt()))
                    .done();
        }
        if (dispatch.attempts() > 0) {
            return described(new Draft(
                            FindingCode.STEP_DELIVERY,
                            dispatch.kind() + " is being delivered to a worker process, try "
                                    + ofMost() + "."))
                    .next(facts.atDelivery(
                            "without an answer, it is delivered again", dispatch.dueAt()))
                    .done();
        }
        return described(new Draft(
                        FindingCode.STEP_DUE,
                        dispatch.kind() + " has waited "
                                + Words.duration(facts.elapsed(dispatch.createdAt()))
                                + " for a worker process."))
                .next(facts.atDelivery("it is delivered", dispatch.dueAt()))
                .done();
    }

    private Finding sent() {
        boolean last = dispatch.attempts() >= facts.settings().dispatchAttemptsMax();
        String when = Optional.ofNullable(dispatch.sentAt()).map(facts::ago).orElse("just now");
        return described(new Draft(
                        FindingCode.STEP_SENT,
                        dispatch.kind() + " was taken by a worker process " + when
                                + " and is not started yet, try " + ofMost() + "."))
                .since(dispatch.sentAt())
                .next(facts.atSweep(
                        "unless it is started, "
                                + (last ? "it is given up" : "it is delivered again"),
                        facts.ackUntil(dispatch).orElse(facts.now())))
                .done();
    }

    private Finding dead() {
        boolean ends = facts.isBeforePublishing();
        Draft draft = described(new Draft(
                FindingCode.STEP_DEAD,
                dispatch.kind() + " was given up after "
                        + Words.count(dispatch.attempts(), "try", "tries")
                        + error().map(text -> "; the last answer was: " + text).orElse("")
                        + "."));
        draft.next(
                ends
                        ? facts.atDeadline("the run ends as TIMED_OUT unless the step is sent"
                                + " again in time")
                        : Next.sometime("nothing, until the step is sent again"));
        draft.act(Commands.resend(facts.id()));
        if (ends) {
            draft.act(Commands.cancel(facts.id()));
        }
        return draft.done();
    }

    private Draft described(Draft draft) {
        return draft.since(dispatch.createdAt())
                .fact("cycle", dispatch.cycle())
                .fact("tries", ofMost())
                .fact("last answer", dispatch.lastError());
    }

    private Optional<String> error() {
        return Optional.ofNullable(dispatch.lastError()).map(Words::quote);
    }

    private String ofMost() {
        return dispatch.attempts() + " of " + facts.settings().dispatchAttemptsMax();
    }
}
