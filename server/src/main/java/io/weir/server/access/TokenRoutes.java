package io.weir.server.access;

import static io.weir.server.shape.Field.count;
import static io.weir.server.shape.Field.list;
import static io.weir.server.shape.Field.object;
import static io.weir.server.shape.Field.text;
import static io.weir.server.shape.Field.texts;
import static io.weir.server.shape.Field.time;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.json.Json;
import io.weir.ledger.access.AccessBooks;
import io.weir.ledger.access.ApiToken;
import io.weir.ledger.access.AuditEntry;
import io.weir.ledger.outside.Digests;
import io.weir.server.route.Call;
import io.weir.server.route.Reply;
import io.weir.server.route.Route;
import io.weir.server.shape.Shape;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Making, listing and revoking tokens, and reading the journal. */
public final class TokenRoutes {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.@-]{1,100}");
    private static final Pattern SUBJECT = Pattern.compile("[a-z]+/[A-Za-z0-9-]{1,100}");
    private static final int DAYS_MAX = 365;
    private static final int ENTRIES = 100;
    private static final int ENTRIES_MAX = 1_000;

    private static final Shape CREATE = Shape.of(
            "CreateToken",
            text("name").matching(NAME).mandatory(),
            text("role").oneOf("worker", "nifi", "viewer", "operator", "admin").mandatory(),
            count("days").atLeast(1).atMost(DAYS_MAX).mandatory());

    private static final Shape TOKEN = Shape.of(
            "Token",
            text("id").mandatory(),
            text("name").mandatory(),
            text("role").mandatory(),
            texts("scopes").mandatory(),
            time("createdAt").mandatory(),
            time("expiresAt").mandatory(),
            time("revokedAt"));

    private static final Shape CREATED =
            TOKEN.with("TokenCreated", text("token").mandatory());

    private static final Shape ENTRY = Shape.of(
            "AuditEntry",
            text("subject").mandatory(),
            count("number").mandatory(),
            time("at").mandatory(),
            text("actor").mandatory(),
            text("role").mandatory(),
            text("action").mandatory(),
            text("reason"),
            text("requestId").mandatory(),
            object("details").mandatory(),
            text("hash").mandatory());

    private static final Shape ENTRIES_OF =
            Shape.of("Audit", list("entries", ENTRY, 0, Integer.MAX_VALUE).mandatory());

    private final AccessBooks access;
    private final Supplier<byte[]> chance;

    /** @param chance gives {@link TokenText#BYTES} bytes from a cryptographic source */
    public TokenRoutes(AccessBooks access, Supplier<byte[]> chance) {
        this.access = access;
        this.chance = chance;
    }

    public List<Route> all() {
        return List.of(
                Route.post(
                        "/v1/tokens",
                        "Makes a token; its text is shown this once.",
                        Scope.ADMIN_TOKENS,
                        CREATE,
                        CREATED,
                        this::create),
                Route.get(
                                "/v1/tokens",
                                "Lists tokens without their secrets.",
                                Scope.ADMIN_TOKENS,
                                TOKEN,
                                this::tokens)
                        .listing(),
                new Route(
                        Route.Method.DELETE,
                        "/v1/tokens/{tokenId}",
                        "Revokes a token; from its answer on no server admits it.",
                        Scope.ADMIN_TOKENS,
                        null,
                        TOKEN,
                        false,
                        List.of(),
                        null,
                        this::revoke),
                Route.get(
                                "/v1/audit",
                                "Lists the newest entries of the journal, newest first.",
                                Scope.AUDIT_READ,
                                ENTRIES_OF,
                                this::audit)
                        .asking("subject", "limit"));
    }

    private Reply create(Call call) {
        Role role = Role.parse(call.body().text("role")).orElseThrow();
        TokenText text = TokenText.of(role, chance.get());
        ApiToken token = access.create(
                text.id(),
                call.body().text("name"),
                role.text(),
                List.of(),
                Digests.sha256(text.text()),
                Duration.ofDays(call.body().count("days")),
                call.actor());
        return Reply.ok(document(token).put("token", text.text()));
    }

    private Reply tokens(Call call) {
        ArrayNode list = Json.array();
        access.tokens().forEach(token -> list.add(document(token)));
        return Reply.ok(list);
    }

    private Reply revoke(Call call) {
        String id = call.path().getOrDefault("tokenId", "");
        ApiToken token = access.revoke(id, call.actor())
                .orElseThrow(() -> call.notFound(ErrorCode.ROUTE_NOT_FOUND, "the token"));
        return Reply.ok(document(token));
    }

    private Reply audit(Call call) {
        ObjectNode node = Json.object();
        ArrayNode entries = node.putArray("entries");
        String subject = call.query("subject", SUBJECT);
        access.audit(subject == null ? "" : subject, call.limit(ENTRIES, ENTRIES_MAX))
                .forEach(entry -> entries.add(document(entry)));
        return Reply.ok(node);
    }

    private static ObjectNode document(ApiToken token) {
        ObjectNode node = Json.object()
                .put("id", token.id())
                .put("name", token.name())
                .put("role", token.role());
        ArrayNode scopes = node.putArray("scopes");
        token.scopes().forEach(scopes::add);
        return node.put("createdAt", token.createdAt().toString())
                .put("expiresAt", token.expiresAt().toString())
                .put(
                        "revokedAt",
                        token.revokedAt() == null ? null : token.revokedAt().toString());
    }

    private static ObjectNode document(AuditEntry entry) {
        ObjectNode node = Json.object()
                .put("subject", entry.subject())
                .put("number", entry.number())
                .put("at", entry.at().toString())
                .put("actor", entry.actor())
                .put("role", entry.role())
                .put("action", entry.action())
                .put("reason", entry.reason())
                .put("requestId", entry.requestId());
        node.set("details", Json.parse(entry.details()));
        return node.put("hash", entry.hash());
    }
}
