package io.weir.testkit.simulation;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Outbox;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The way from a process to the books. A call may be lost before or after its effect, be slow, or
 * arrive twice; without an answer it is repeated as it was.
 */
final class Port {
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final int TRIES_MAX = 5;

    private final SimProcess process;
    private final World world;

    Port(SimProcess process) {
        this.process = process;
        this.world = process.world;
    }

    /** One call until it is answered. */
    private static final class Call<T> {
        final String what;
        final Supplier<T> effect;
        final Consumer<T> done;
        final Consumer<WeirException> failed;
        final int born;
        int tries;
        boolean answered;

        Call(
                int born,
                String what,
                Supplier<T> effect,
                Consumer<T> done,
                Consumer<WeirException> failed) {
            this.born = born;
            this.what = what;
            this.effect = effect;
            this.done = done;
            this.failed = failed;
        }
    }

    <T> void call(
            String what,
            Function<Ledger, T> command,
            Consumer<T> done,
            Consumer<WeirException> failed) {
        Ledger ledger = process.ledger();
        send(new Call<>(process.life(), what, () -> command.apply(ledger), done, failed));
    }

    /** The same for a command without an answer. */
    void tell(
            String what, Consumer<Ledger> command, Runnable done, Consumer<WeirException> failed) {
        call(
                what,
                ledger -> {
                    command.accept(ledger);
                    return "";
                },
                answer -> done.run(),
                failed);
    }

    <T> void callOutbox(
            String what,
            Function<Outbox, T> command,
            Consumer<T> done,
            Consumer<WeirException> failed) {
        Outbox outbox = process.outbox();
        send(new Call<>(process.life(), what, () -> command.apply(outbox), done, failed));
    }

    private <T> void send(Call<T> call) {
        call.tries++;
        Duration way = world.random.millis(1, 20);
        boolean lost = world.faults.strikes(Fault.REQUEST_LOST);
        boolean slow = world.faults.strikes(Fault.MESSAGE_SLOW);
        if (slow) {
            way = world.random.seconds(1, 90);
        }
        if (!lost) {
            world.timeline.deliver(way, () -> arrive(call));
        }
        if (world.faults.strikes(Fault.MESSAGE_TWICE)) {
            world.timeline.deliver(world.random.seconds(0, 60), () -> arrive(call));
        }
        if (lost || way.compareTo(PATIENCE) > 0) {
            process.after(call.born, PATIENCE, () -> again(call));
        }
    }

    private <T> void again(Call<T> call) {
        if (call.answered) {
            return;
        }
        if (call.tries < TRIES_MAX) {
            send(call);
            return;
        }
        call.answered = true;
        call.failed.accept(new WeirException(
                ErrorCode.LEDGER_UNREACHABLE, "Cannot " + call.what + ": no answer"));
    }

    private <T> void arrive(Call<T> call) {
        Runnable reply = carryOut(call);
        if (world.faults.strikes(Fault.REPLY_LOST)) {
            process.after(call.born, PATIENCE, () -> again(call));
            return;
        }
        process.after(call.born, world.random.millis(1, 20), () -> {
            if (!call.answered) {
                call.answered = true;
                reply.run();
            }
        });
    }

    private <T> Runnable carryOut(Call<T> call) {
        SimProcess outer = world.caller;
        String outerCommand = world.command;
        world.caller = process;
        world.command = call.what;
        try {
            T answer = call.effect.get();
            world.log(process.name, call.what + " -> " + Brief.of(answer));
            return () -> call.done.accept(answer);
        } catch (WeirException e) {
            world.log(process.name, call.what + " -> " + e.code());
            world.invariants.refused(call.what, e);
            return () -> call.failed.accept(e);
        } finally {
            world.caller = outer;
            world.command = outerCommand;
        }
    }
}
