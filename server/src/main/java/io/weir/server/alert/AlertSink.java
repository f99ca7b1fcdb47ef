package io.weir.server.alert;

import java.io.IOException;

/** Where alerts go. */
public interface AlertSink extends AutoCloseable {
    /**
     * Hands over one alert, a JSON document.
     *
     * @throws IOException if it was not taken; it is handed over again later. Its message holds no
     *     address: that is a secret
     * @throws RefusedException if it never will be
     */
    void take(String document) throws IOException, RefusedException;

    @Override
    void close();

    /** The document is none for whoever got it; sending it again changes nothing. */
    final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }
}
