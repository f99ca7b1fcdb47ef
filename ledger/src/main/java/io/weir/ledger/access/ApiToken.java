package io.weir.ledger.access;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * A token as the books know it: without its secret.
 *
 * @param id the public part of the token
 * @param role worker, operator, viewer or admin
 * @param scopes empty for everything that the role may do
 */
public record ApiToken(
        String id,
        String name,
        String role,
        List<String> scopes,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant revokedAt) {
    public ApiToken {
        scopes = List.copyOf(scopes);
    }
}
