package io.weir.app.command;

import io.weir.flow.load.Cancellation;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns the interrupt of a terminal, or a polite kill, into a wish to stop: the process ends only
 * after the work has closed its run in the books. Close it when the work is done.
 */
final class Interruption implements AutoCloseable {
    private static final long CLOSING_SECONDS = 20;

    private final Cancellation cancellation = new Cancellation();
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "weir-interrupt");

    private Interruption() {}

    static Interruption listen() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    Cancellation cancellation() {
        return cancellation;
    }

    private void stop() {
        cancellation.request();
        try {
            if (!done.await(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("Ended before the run was closed; its lease will end it.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
        if (!cancellation.isRequested()) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
