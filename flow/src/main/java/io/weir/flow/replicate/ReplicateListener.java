package io.weir.flow.replicate;

import io.weir.core.error.WeirException;
import io.weir.flow.changelog.LogStep;
import io.weir.flow.load.LoadListener;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaWindow;

/** Sees a replication go by. Calls may come from several threads. */
public interface ReplicateListener {
    /** Sees the initial loads. */
    default LoadListener loads() {
        return new LoadListener() {};
    }

    /** The rows of a table are published as they were at its place. */
    default void loaded(Replica replica) {}

    /** All change logs hold every change up to a place. */
    default void captured(LogPlace place) {}

    /** A table is proven to be the source's at a place; the window is null if nothing changed. */
    default void merged(Replica replica, TableResult result) {}

    /** Tables that are due are merged, so many at once. */
    default void merging(int atOnce, int tables) {}

    /** The merge of a table ran out of memory beside others and is done again alone. */
    default void alone(Replica replica) {}

    /** Something is out of reach; it is waited for. */
    default void waiting(WeirException cause) {}

    /** Something failed and will be tried again. */
    default void failed(Replica replica) {}

    /** A person has to act. */
    default void stopped(Replica replica) {}

    /** The keeper of change logs did a step. */
    default void step(LogStep step) {}

    /** A step of a window was done. */
    default void step(ReplicaWindow window, WindowStep step) {}

    /** Every table that is not stopped is at the cut. */
    default void cut(ReplicaCut cut) {}
}
