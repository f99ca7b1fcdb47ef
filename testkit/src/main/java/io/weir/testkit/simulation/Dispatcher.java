package io.weir.testkit.simulation;

import io.weir.core.ledger.Delivery;
import io.weir.core.run.Dispatch;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Delivers rows of the outbox to processes that do steps, and sweeps. */
final class Dispatcher {
    private static final int MOST = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SimProcess process;
    private final World world;
    private final Port port;

    Dispatcher(SimProcess process) {
        this.process = process;
        this.world = process.world;
        this.port = new Port(process);
        process.addProgram(this::pause);
        process.addProgram(this::pauseSweep);
    }

    private void pause() {
        process.after(world.random.seconds(2, 6), this::lease);
    }

    private void lease() {
        port.callOutbox(
                "lease dispatches",
                outbox -> outbox.leaseDispatches(MOST),
                leased -> {
                    leased.forEach(this::deliver);
                    pause();
                },
                refusal -> pause());
    }

    private void deliver(Dispatch dispatch) {
        List<SimProcess> processes = world.processes;
        SimProcess receiver = world.random.pick(processes);
        boolean[] answered = new boolean[1];
        Consumer<Delivery> settle = delivery -> {
            if (!answered[0]) {
                answered[0] = true;
                settle(dispatch, delivery);
            }
        };
        if (!world.faults.strikes(Fault.REQUEST_LOST)) {
            boolean twice = world.faults.strikes(Fault.MESSAGE_TWICE);
            boolean silent = world.faults.strikes(Fault.REPLY_LOST);
            arrive(receiver, dispatch, silent ? delivery -> {} : settle);
            if (twice) {
                arrive(world.random.pick(processes), dispatch, delivery -> {});
            }
        }
        process.after(PATIENCE, () -> settle.accept(Delivery.postponed("no answer")));
    }

    private void arrive(SimProcess receiver, Dispatch dispatch, Consumer<Delivery> reply) {
        int born = process.life();
        receiver.after(world.random.millis(1, 300), () -> {
            Delivery delivery = world.steps(receiver).accept(dispatch);
            process.after(born, world.random.millis(1, 20), () -> reply.accept(delivery));
        });
    }

    private void settle(Dispatch dispatch, Delivery delivery) {
        port.callOutbox(
                "settle " + Brief.id(dispatch.runId()) + " " + dispatch.kind() + "/"
                        + dispatch.cycle() + " " + delivery.outcome(),
                outbox -> {
                    outbox.settleDispatch(dispatch, delivery);
                    return "";
                },
                done -> {},
                refusal -> {});
    }

    private void pauseSweep() {
        process.after(world.random.seconds(5, 12), this::sweep);
    }

    private void sweep() {
        port.callOutbox(
                "sweep",
                outbox -> {
                    var report = outbox.sweep();
                    world.invariants.swept(report);
                    return report;
                },
                report -> pauseSweep(),
                refusal -> pauseSweep());
    }
}
