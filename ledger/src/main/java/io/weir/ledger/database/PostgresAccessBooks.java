package io.weir.ledger.database;

import io.weir.core.json.Json;
import io.weir.ledger.access.AccessBooks;
import io.weir.ledger.access.ApiToken;
import io.weir.ledger.access.AuditEntry;
import io.weir.ledger.books.Bundles;
import io.weir.ledger.outside.Actor;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tokens and the journal in PostgreSQL. */
final class PostgresAccessBooks implements AccessBooks {
    static final String CREATE = """
            insert into weir.api_token (
                id, name, role, scopes, secret_digest, created_at, expires_at)
            select :id, :name, :role, string_to_array(:scopes, ' '), :digest, moment.now,
                moment.now + make_interval(secs => :seconds)
            from (select clock_timestamp() as now) as moment
            returning *
            """;

    static final String VALID = """
            select *, clock_timestamp() + %s < expires_at as lasting
            from weir.api_token
            where secret_digest = any (:digests) and revoked_at is null
              and clock_timestamp() < expires_at
            """.formatted(KnownTokens.KNOWN_FOR_SQL);

    static final String TOKENS = """
            select * from weir.api_token order by created_at desc, id
            """;

    static final String REVOKE = """
            update weir.api_token
            set revoked_at = coalesce(revoked_at, clock_timestamp())
            where id = :id
            returning *
            """;

    static final String AUDIT = """
            select *
            from weir.audit
            where :subject = '' or subject = :subject
            order by at desc, subject, number desc
            limit :most
            """;

    private final PostgresTransactions transactions;
    private final KnownTokens known = new KnownTokens();
    private final Bundles<String, Optional<KnownTokens.Found>> looks =
            Bundles.ofOneFate(this::look, call -> 1);

    PostgresAccessBooks(PostgresTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public ApiToken create(
            String id,
            String name,
            String role,
            List<String> scopes,
            String digest,
            Duration validFor,
            Actor actor) {
        return run("create token " + name, handle -> {
            ApiToken token = handle.createQuery(CREATE)
                    .bind("id", id)
                    .bind("name", name)
                    .bind("role", role)
                    .bind("scopes", String.join(" ", scopes))
                    .bind("digest", digest)
                    .bind("seconds", (double) validFor.toSeconds())
                    .map((rows, context) -> token(rows))
                    .one();
            journal(handle, token, actor, "TOKEN_CREATED");
            return token;
        });
    }

    private static void journal(Handle handle, ApiToken token, Actor actor, String action) {
        PostgresAudit.append(
                handle,
                "token/" + token.id(),
                actor,
                action,
                null,
                Json.object().put("name", token.name()).put("role", token.role()));
    }

    @Override
    public Optional<ApiToken> valid(String digest) {
        return known.valid(digest, unknown -> looks.call(unknown).orElseThrow());
    }

    /** Callers that come while others are looked up share the next look, which begins then. */
    private List<Optional<Optional<KnownTokens.Found>>> look(List<String> digests) {
        Map<String, KnownTokens.Found> valid = valid(digests);
        return digests.stream()
                .map(digest -> Optional.of(Optional.ofNullable(valid.get(digest))))
                .toList();
    }

    private Map<String, KnownTokens.Found> valid(List<String> digests) {
        return transactions.atOnce(
                "look up a token",
                handle -> handle.createQuery(VALID)
                        .bindArray("digests", String.class, Set.copyOf(digests).toArray())
                        .map((rows, context) -> Map.entry(
                                rows.getString("secret_digest"),
                                new KnownTokens.Found(token(rows), rows.getBoolean("lasting"))))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    @Override
    public List<ApiToken> tokens() {
        return run(
                "list tokens",
                handle -> handle.createQuery(TOKENS)
                        .map((rows, context) -> token(rows))
                        .list());
    }

    @Override
    public Optional<ApiToken> revoke(String id, Actor actor) {
        Optional<ApiToken> revoked = run("revoke token " + id, handle -> {
            Optional<ApiToken> token = handle.createQuery(REVOKE)
                    .bind("id", id)
                    .map((rows, context) -> token(rows))
                    .findOne();
            token.ifPresent(ended -> journal(handle, ended, actor, "TOKEN_REVOKED"));
            return token;
        });
        revoked.ifPresent(ended -> known.outlive());
        return revoked;
    }

    @Override
    public void append(
            String subject, Actor actor, String action, @Nullable String reason, String details) {
        run("write to the journal", handle -> {
            PostgresAudit.append(handle, subject, actor, action, reason, Json.parse(details));
            return subject;
        });
    }

    @Override
    public List<AuditEntry> audit(String subject, int most) {
        return run(
                "read the journal",
                handle -> handle.createQuery(AUDIT)
                        .bind("subject", subject)
                        .bind("most", most)
                        .map((rows, context) -> entry(rows))
                        .list());
    }

    private <T> T run(String action, Function<Handle, T> work) {
        return transactions.inTransaction(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }

    private static ApiToken token(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new ApiToken(
                fields.text("id"),
                fields.text("name"),
                fields.text("role"),
                fields.texts("scopes"),
                fields.instant("created_at"),
                fields.instant("expires_at"),
                fields.instantOrNull("revoked_at"));
    }

    private static AuditEntry entry(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new AuditEntry(
                fields.text("subject"),
                fields.number("number"),
                fields.instant("at"),
                fields.text("actor"),
                fields.text("role"),
                fields.text("action"),
                fields.textOrNull("reason"),
                fields.text("request_id"),
                fields.text("details"),
                fields.text("hash"));
    }
}
