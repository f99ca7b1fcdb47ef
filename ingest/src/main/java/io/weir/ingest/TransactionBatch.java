package io.weir.ingest;

import java.util.Arrays;

/** The states of a number of transactions that are used one after the other. */
final class TransactionBatch {
    private final TxnState[] states;
    private int used;

    TransactionBatch(int size) {
        this.states = new TxnState[size];
        Arrays.fill(states, TxnState.INACTIVE);
    }

    int remaining() {
        return states.length - used;
    }

    void begin() {
        states[used] = TxnState.OPEN;
        used++;
    }

    /** Ends the open transaction. */
    void end(TxnState state) {
        states[used - 1] = state;
    }

    /** After a failure of files nothing of the batch is used any more. */
    void abortAll() {
        for (int i = 0; i < states.length; i++) {
            if (states[i] != TxnState.COMMITTED) {
                states[i] = TxnState.ABORTED;
            }
        }
        used = states.length;
    }

    TxnState current() {
        return used == 0 ? TxnState.INACTIVE : states[used - 1];
    }

    /** One letter for each transaction. */
    String letters() {
        StringBuilder letters = new StringBuilder();
        for (TxnState state : states) {
            letters.append(state.letter());
        }
        return letters.toString();
    }
}
