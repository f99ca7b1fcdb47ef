package io.weir.server;

import io.weir.server.http.Listen;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;

/**
 * What can be chosen about a server.
 *
 * @param receiver address of the flow's receiver; null if nothing is delivered
 * @param receiverHosts hosts that may be called whatever they lead to
 * @param receiverTimeout how long one call may take; shorter than the lease of a delivery
 * @param pause between two looks at outbox and ledger; null for a server without loops
 */
public record ServerSettings(
        Listen listen,
        @Nullable String receiver,
        Set<String> receiverHosts,
        Duration receiverTimeout,
        @Nullable Duration pause) {
    public ServerSettings {
        receiverHosts = Set.copyOf(receiverHosts);
    }
}
