package io.weir.ingest;

/** The state of a transaction; the letters are those that Hive prints. */
public enum TxnState {
    INACTIVE('I'),
    OPEN('O'),
    COMMITTED('C'),
    ABORTED('A');

    private final char letter;

    TxnState(char letter) {
        this.letter = letter;
    }

    public char letter() {
        return letter;
    }
}
