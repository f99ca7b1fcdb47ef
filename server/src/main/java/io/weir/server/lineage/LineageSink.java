package io.weir.server.lineage;

import java.io.IOException;

/** Where lineage events go. What it took is durable there, or is that program's to keep. */
public interface LineageSink {
    /**
     * Hands over one event, a JSON document of one line.
     *
     * @throws IOException if it was not taken; it is handed over again later
     */
    void take(String event) throws IOException;
}
