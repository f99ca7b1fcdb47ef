package io.weir.capture;

import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;

/**
 * A new slot and the state of the database at which it begins: a row is either in that state or in
 * the stream of the slot. Readers may join the state as long as this is open; what joined keeps it.
 */
public interface SlotSnapshot extends AutoCloseable {
    /** Where the slot begins, and what the state holds every change up to. */
    Position position();

    /** The same as a number; as {@link StreamEvent.Commit#place} counts. */
    long place();

    /** What {@link io.weir.source.Source#joinSnapshot} takes. */
    SnapshotToken token();

    /** Lets go of the state. The slot stays, unless it was made for the state alone. */
    @Override
    void close();
}
