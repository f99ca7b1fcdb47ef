package io.weir.ledger.watch;

import io.weir.ledger.watch.WatchBooks.EndedWindow;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Follows windows of replication from look to look and says the end of each once, whoever merged
 * it. What ended before the first look is not said. For one thread.
 */
public final class ReplicaWatch {
    /** Longer than a transaction that ends a window can last. */
    private static final Duration LATE = Duration.ofMinutes(5);

    private final WatchBooks books;
    private final Map<UUID, Instant> said = new HashMap<>();
    private @Nullable Instant looked;

    public ReplicaWatch(WatchBooks books) {
        this.books = books;
    }

    /** What ended since the look before; nothing at the first one. */
    public List<EndedWindow> look() {
        Instant before = looked;
        Instant now = books.now();
        Instant since = (before == null ? now : before).minus(LATE);
        List<EndedWindow> ended = new ArrayList<>();
        for (EndedWindow window : books.endedWindows(since)) {
            boolean known = said.put(window.id(), window.endedAt()) != null;
            if (!known && before != null) {
                ended.add(window);
            }
        }
        said.values().removeIf(at -> at.isBefore(since));
        looked = now;
        return ended;
    }
}
