package io.weir.ingest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Time passes when the test says so. */
final class ManualTimer implements Timer {
    private final List<Runnable> waiting = new ArrayList<>();

    @Override
    public Pending after(Duration delay, Runnable action) {
        waiting.add(action);
        return () -> waiting.remove(action);
    }

    void pass() {
        List<Runnable> due = List.copyOf(waiting);
        waiting.clear();
        due.forEach(Runnable::run);
    }
}
