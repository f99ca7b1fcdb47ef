package io.weir.ledger.watch;

import java.time.Duration;

/** Is told how the ledger's database does. Called in the threads that work; must be quick. */
public interface LedgerWatch {
    /** Sees nothing. */
    LedgerWatch NOBODY = new LedgerWatch() {
        @Override
        public Running began(String command) {
            return () -> {};
        }

        @Override
        public void retried(String sqlState) {}

        @Override
        public void waited(Duration time) {}
    };

    /** A transaction under way. */
    @FunctionalInterface
    interface Running {
        void done();
    }

    /**
     * A transaction begins.
     *
     * @param command one of few texts, such as {@code report chunks}
     */
    Running began(String command);

    /** A transaction is carried out once more. */
    void retried(String sqlState);

    /** So long somebody waited for a connection. */
    void waited(Duration time);
}
