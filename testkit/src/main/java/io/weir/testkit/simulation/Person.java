package io.weir.testkit.simulation;

import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Operator;
import io.weir.core.run.Run;

import java.util.List;

/** Somebody at a screen: cancels now and then, sends again what is dead. */
final class Person {
    private static final Operator NAME = new Operator("somebody", "it takes too long");
    private static final int RUNS_SEEN = 20;

    private final SimProcess process;
    private final World world;
    private final Port port;

    Person(SimProcess process) {
        this.process = process;
        this.world = process.world;
        this.port = new Port(process);
        process.addProgram(this::pause);
    }

    private void pause() {
        process.after(world.random.seconds(8, 25), this::look);
    }

    private void look() {
        port.call(
                "look at runs",
                ledger -> ledger.runs(new RunFilter(null, true, RUNS_SEEN)),
                runs -> {
                    act(runs);
                    pause();
                },
                refusal -> pause());
    }

    private void act(List<Run> runs) {
        for (Run run : runs) {
            if (world.faults.strikes(Fault.CANCELLED_BY_PERSON)) {
                // People take their time; the run may have moved on.
                process.after(world.random.seconds(0, 10), () -> cancel(run));
            }
            port.call(
                    "look at " + Brief.id(run.id()),
                    ledger -> ledger.detail(run.id()),
                    this::sendAgain,
                    refusal -> {});
        }
    }

    private void cancel(Run run) {
        port.call(
                "cancel " + Brief.id(run.id()) + " in " + run.state(),
                ledger -> ledger.cancelRun(run.id(), run.state(), NAME),
                now -> world.journal.cancelled(run.id()),
                refusal -> {});
    }

    private void sendAgain(RunDetail detail) {
        List<Dispatch> all = detail.dispatches();
        for (Dispatch dispatch : all) {
            String step = dispatch.kind() + " of " + world.journal.keyOf(dispatch.runId());
            boolean hopeless = world.poisonedSteps.contains(step);
            boolean last = dispatch.equals(all.get(all.size() - 1));
            if (dispatch.state() == DispatchState.DEAD && last && !hopeless) {
                port.call(
                        "resend " + dispatch.kind() + " of " + Brief.id(dispatch.runId()),
                        ledger -> ledger.resendDispatch(dispatch.runId(), dispatch.id(), NAME),
                        now -> {},
                        refusal -> {});
            }
        }
    }
}
