package io.weir.testkit.simulation;

import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.RunDetail;
import io.weir.core.run.Dispatch;
import io.weir.core.run.RunId;

import java.time.Duration;

/** Takes deliveries and does their steps, as many at once as the process has slots. */
final class Steps {
    private static final int SLOTS = 2;
    private static final Duration BEAT = Duration.ofSeconds(9);
    private static final Duration LIFE = Duration.ofMinutes(8);

    final SimProcess process;
    final World world;
    final Port port;
    final LakePort lake;
    private int busy;

    Steps(SimProcess process) {
        this.process = process;
        this.world = process.world;
        this.port = new Port(process);
        this.lake = new LakePort(process);
        process.addProgram(() -> busy = 0);
    }

    Delivery accept(Dispatch dispatch) {
        if (isPoisoned(dispatch)) {
            return Delivery.postponed("poisoned");
        }
        if (world.faults.strikes(Fault.STEP_REFUSED)) {
            return Delivery.refused("never");
        }
        if (world.faults.strikes(Fault.STEP_DECLINED)) {
            return Delivery.declined("not mine");
        }
        if (busy >= SLOTS || world.faults.strikes(Fault.STEP_POSTPONED)) {
            return Delivery.postponed("busy");
        }
        busy++;
        process.after(world.random.millis(10, 2000), () -> start(dispatch));
        return Delivery.ACCEPTED;
    }

    /** Nobody ever does this step of this run. */
    private boolean isPoisoned(Dispatch dispatch) {
        return world.poisonedSteps.contains(
                dispatch.kind() + " of " + world.journal.keyOf(dispatch.runId()));
    }

    private void start(Dispatch dispatch) {
        String owner = process.name + "/" + world.random.id();
        port.call(
                "start " + dispatch.kind() + " of " + Brief.id(dispatch.runId()),
                ledger -> {
                    boolean mine = ledger.startStep(dispatch.runId(), dispatch.id(), owner);
                    world.journal.started(dispatch.runId(), owner, mine);
                    return mine;
                },
                mine -> {
                    if (mine) {
                        new Step(dispatch, owner).begin();
                    } else {
                        busy--;
                    }
                },
                refusal -> busy--);
    }

    /** The engine takes its time. */
    void work(Runnable then) {
        process.after(world.random.seconds(0, 12), then);
    }

    /** One step and its signs of life. */
    final class Step {
        final RunId run;
        private final Dispatch dispatch;
        private final String owner;
        private boolean over;

        Step(Dispatch dispatch, String owner) {
            this.dispatch = dispatch;
            this.owner = owner;
            this.run = dispatch.runId();
        }

        void begin() {
            process.after(BEAT, this::beat);
            process.after(LIFE, this::end);
            port.call(
                    "read " + Brief.id(run),
                    ledger -> ledger.detail(run),
                    this::go,
                    refusal -> end());
        }

        private void go(RunDetail detail) {
            switch (dispatch.kind()) {
                case VALIDATE_RUN -> new ValidateStep(Steps.this, this).begin(detail);
                case PUBLISH_RUN -> new PublishStep(Steps.this, this).begin(detail);
                case RESOLVE_RUN -> new ResolveStep(Steps.this, this).begin(detail);
                case CONFIRM_RUN -> new ConfirmStep(Steps.this, this).begin(detail);
            }
        }

        private void beat() {
            if (!over) {
                port.call(
                        "beat step of " + Brief.id(run),
                        ledger -> ledger.heartbeatRun(run, owner),
                        now -> process.after(BEAT, this::beat),
                        refusal -> process.after(BEAT, this::beat));
            }
        }

        /** Done, or given up: then its lease ends and somebody else is asked. */
        void end() {
            if (!over) {
                over = true;
                busy--;
            }
        }
    }
}
