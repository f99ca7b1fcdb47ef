package io.weir.client;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where a server of the ledger is.
 *
 * @param uri scheme, host and, if it serves below one, a path without a slash at its end
 */
public record LedgerAddress(URI uri) {
    /**
     * Reads {@code http://host:port} or {@code https://host:port/path}.
     *
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID}
     */
    public static LedgerAddress parse(String text) {
        URI uri;
        try {
            uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
        } catch (URISyntaxException e) {
            throw invalid("it is no address");
        }
        String scheme = uri.getScheme();
        if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme)) {
            throw invalid("it begins neither with http:// nor with https://");
        }
        if (uri.getHost() == null) {
            throw invalid("it names no host");
        }
        if (uri.getRawUserInfo() != null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            throw invalid("it holds more than host, port and path");
        }
        return new LedgerAddress(uri);
    }

    // What was given is not repeated: it may hold a password.
    private static WeirException invalid(String reason) {
        return new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot use the address of the ledger server: " + reason,
                "Give it as http://HOST:PORT or https://HOST:PORT.",
                null);
    }

    URI of(String path) {
        return URI.create(uri + path);
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
