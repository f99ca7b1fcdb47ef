package io.weir.ledger.access;

import io.weir.core.error.WeirException;
import io.weir.ledger.outside.Actor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Tokens and the journal. Safe for use by many threads; every call throws {@link WeirException}
 * with LEDGER_UNREACHABLE if the books cannot be reached.
 */
public interface AccessBooks {
    /**
     * Adds a token.
     *
     * @param digest SHA-256 of the whole token
     */
    ApiToken create(
            String id,
            String name,
            String role,
            List<String> scopes,
            String digest,
            Duration validFor,
            Actor actor);

    /**
     * The token of a digest; empty if it is expired by the clock of the books, or once {@link
     * #revoke} of it has returned.
     */
    Optional<ApiToken> valid(String digest);

    /** Newest first. */
    List<ApiToken> tokens();

    /**
     * When this returns, about a second later, every process refuses the token; empty if there is
     * none.
     */
    Optional<ApiToken> revoke(String id, Actor actor);

    /**
     * Keeps what somebody did that changes no outside run.
     *
     * @param reason of a person; null where none is asked for
     */
    void append(
            String subject, Actor actor, String action, @Nullable String reason, String details);

    /** The newest entries, newest first; an empty subject means every subject. */
    List<AuditEntry> audit(String subject, int most);
}
