package io.weir.app.config;

import org.jspecify.annotations.Nullable;

/**
 * A ledger that is reached through a server, as written in a job file.
 *
 * @param url http:// or https://
 * @param token may hold references to secrets; null for the variable of the environment
 * @param authority file with the certificate that the server's is signed by; null for those that
 *     Java trusts
 */
public record ServedConfig(
        String url, @Nullable String token, @Nullable String authority) {
    @Override
    public String toString() {
        return "ServedConfig[url=" + url + "]";
    }
}
