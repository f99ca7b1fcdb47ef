package io.weir.ledger.database;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.weir.core.error.WeirException;
import io.weir.ledger.access.ApiToken;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Tokens that were valid a moment ago, so that a worker that calls again and again is not looked up
 * each time. Whoever revokes a token waits until every process has forgotten it. Thread-safe.
 */
final class KnownTokens {
    private static final Duration KNOWN_FOR = Duration.ofSeconds(1);

    /** As an interval of PostgreSQL: who ends sooner is looked up each time. */
    static final String KNOWN_FOR_SQL = "interval '1 second'";

    private static final int TOKENS_MAX = 10_000;

    /** A look is written down before it begins: what it finds is never older than its entry. */
    private final Cache<String, CompletableFuture<Optional<ApiToken>>> looks = Caffeine.newBuilder()
            .maximumSize(TOKENS_MAX)
            .expireAfterWrite(KNOWN_FOR)
            .build();

    /**
     * What a look found.
     *
     * @param lasting whether the token goes on for longer than it may be known
     */
    record Found(ApiToken token, boolean lasting) {}

    /** The token of a digest, if it is valid. */
    Optional<ApiToken> valid(String digest, Function<String, Optional<Found>> look) {
        CompletableFuture<Optional<ApiToken>> own = new CompletableFuture<>();
        CompletableFuture<Optional<ApiToken>> known = looks.asMap().putIfAbsent(digest, own);
        if (known != null) {
            return join(known);
        }
        try {
            Optional<Found> found = look.apply(digest);
            if (found.isEmpty() || !found.get().lasting()) {
                looks.asMap().remove(digest, own);
            }
            own.complete(found.map(Found::token));
        } catch (RuntimeException e) {
            looks.asMap().remove(digest, own);
            own.completeExceptionally(e);
        }
        return join(own);
    }

    private static Optional<ApiToken> join(CompletableFuture<Optional<ApiToken>> look) {
        try {
            return look.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof WeirException failure ? failure : e;
        }
    }

    /** Waits until no process knows a token any more that was revoked before. */
    void outlive() {
        new CompletableFuture<Void>()
                .completeOnTimeout(null, KNOWN_FOR.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
