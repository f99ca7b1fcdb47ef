package io.weir.testkit.simulation;

import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.SweepReport;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Run;

import java.util.Collection;
import java.util.Optional;

/** Answers in a few words, for the trace. */
final class Brief {
    private Brief() {}

    static String of(Object answer) {
        if (answer instanceof Run run) {
            return run(run);
        }
        if (answer instanceof RunDetail detail) {
            return run(detail.run());
        }
        if (answer instanceof Optional<?> optional) {
            return optional.map(value -> of((Object) value)).orElse("none");
        }
        if (answer instanceof WorkOrder order) {
            return "p" + order.claim().partitionId() + " e" + order.claim().epoch();
        }
        if (answer instanceof ReportReply reply) {
            return reply.partitionState() + " " + reply.runState();
        }
        if (answer instanceof Judgement judgement) {
            return judgement.passed() + " " + judgement.runState() + " " + judgement.reasons();
        }
        if (answer instanceof PublishAttempt attempt) {
            return "attempt " + attempt.epoch() + " " + attempt.state();
        }
        if (answer instanceof Dispatch dispatch) {
            return dispatch.kind() + "/" + dispatch.cycle() + " " + dispatch.state();
        }
        if (answer instanceof SweepReport report) {
            return report.actions().stream()
                    .map(SweepReport.Action::rule)
                    .toList()
                    .toString();
        }
        return answer instanceof Collection<?> all ? all.size() + "" : answer.toString();
    }

    /** The first digits of an id are enough to tell runs apart. */
    static String id(Object id) {
        return id.toString().substring(0, 4);
    }

    private static String run(Run run) {
        return id(run.id()) + " " + run.state();
    }
}
