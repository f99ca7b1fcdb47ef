package io.weir.server.access;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.access.AccessBooks;
import io.weir.ledger.access.ApiToken;
import io.weir.ledger.outside.Digests;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Optional;

/** Lets a call through or not. Who revoked a token may rely on it: it opens nothing any more. */
public final class Guard {
    private static final String BEARER = "Bearer ";
    private static final int HEADER_MAX = 500;

    private final AccessBooks access;

    public Guard(AccessBooks access) {
        this.access = access;
    }

    /**
     * Finds out who calls, and whether they may.
     *
     * @param header the value of Authorization
     * @throws WeirException {@link ErrorCode#UNAUTHENTICATED} without a token, {@link
     *     ErrorCode#FORBIDDEN} with one that is unknown or lacks the scope
     */
    public Caller admit(@Nullable String header, Scope needed) {
        if (header == null || header.length() > HEADER_MAX || !header.startsWith(BEARER)) {
            throw new WeirException(
                    ErrorCode.UNAUTHENTICATED, "Cannot admit the call: it carries no token");
        }
        Optional<ApiToken> token = TokenText.parse(
                        header.substring(BEARER.length()).strip())
                .flatMap(text -> access.valid(Digests.sha256(text.text())));
        if (token.isEmpty()) {
            throw new WeirException(
                    ErrorCode.FORBIDDEN,
                    "Cannot admit the call: its token is unknown, mistyped, expired or revoked");
        }
        Caller caller = Caller.of(token.get());
        if (!caller.scopes().contains(needed)) {
            throw WeirException.of(
                    ErrorCode.FORBIDDEN,
                    "Cannot admit the call: the token may not do this (role="
                            + caller.role().text() + ", needed=" + needed.text() + ")",
                    Map.of("scope", needed.text()));
        }
        return caller;
    }
}
