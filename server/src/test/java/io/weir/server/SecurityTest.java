package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.ledger.fsck.Invariant;
import io.weir.ledger.outside.Digests;
import io.weir.server.access.Role;
import io.weir.server.access.Scope;
import io.weir.server.access.TokenText;
import io.weir.server.http.Listen;
import io.weir.server.route.Route;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Who may call what, and what of a token is kept. */
class SecurityTest extends ApiTest {
    /** Restated by hand, so that a wrong entry in the table of roles is found. */
    private static final Map<Scope, Set<Role>> MAY = new EnumMap<>(Map.of(
            Scope.RUNS_CREATE, Set.of(Role.WORKER),
            Scope.PARTS_WORK, Set.of(Role.WORKER),
            Scope.VALIDATE_WORK, Set.of(Role.WORKER),
            Scope.PUBLISH_WORK, Set.of(Role.WORKER),
            Scope.RUNS_READ, Set.of(Role.WORKER, Role.VIEWER, Role.OPERATOR, Role.ADMIN),
            Scope.CLEANUP_WORK, Set.of(Role.WORKER, Role.OPERATOR, Role.ADMIN),
            Scope.OPERATOR_ACT, Set.of(Role.OPERATOR, Role.ADMIN),
            Scope.OPERATOR_RESOLVE, Set.of(Role.OPERATOR, Role.ADMIN),
            Scope.AUDIT_READ, Set.of(Role.OPERATOR, Role.ADMIN),
            Scope.ADMIN_TOKENS, Set.of(Role.ADMIN)));

    @TestFactory
    List<DynamicTest> everyRouteForEveryRole() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Role role : Role.values()) {
            Api caller = house.api(server, role);
            for (Route route : server.routes()) {
                Scope scope = route.scope();
                boolean may = scope == null || MAY.getOrDefault(scope, Set.of()).contains(role);
                tests.add(DynamicTest.dynamicTest(
                        role + " " + route.method() + " " + route.path(), () -> {
                            Api.Answer answer = call(caller, route);
                            if (scope == null || may) {
                                assertThat(answer.status()).isNotIn(401, 403, 405, 500);
                            } else {
                                answer.refused(403, "FORBIDDEN");
                                assertThat(answer.body().at("/details/scope").asText())
                                        .isEqualTo(scope.text());
                            }
                        }));
            }
        }
        return tests;
    }

    @TestFactory
    List<DynamicTest> noRouteWithoutAToken() {
        Api nobody = new Api("http://127.0.0.1:" + server.port(), null, server.routes());
        Api wrong = new Api("http://127.0.0.1:" + server.port(), "nonsense", server.routes());
        List<DynamicTest> tests = new ArrayList<>();
        for (Route route : server.routes()) {
            String name = route.method() + " " + route.path();
            tests.add(DynamicTest.dynamicTest(name, () -> {
                Api.Answer answer = call(nobody, route);
                if (route.scope() == null) {
                    answer.ok();
                } else {
                    answer.refused(401, "UNAUTHENTICATED");
                    assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
                    call(wrong, route).refused(403, "FORBIDDEN");
                }
            }));
        }
        return tests;
    }

    private static Api.Answer call(Api caller, Route route) {
        String path = route.path()
                .replace("{partitionId}", "0000")
                .replaceAll("\\{\\w+}", UUID.randomUUID().toString());
        return caller.send(route.method().name(), path, route.request() == null ? null : "{}");
    }

    @Test
    void onlyTheOpenRoutesAreOpen() {
        assertThat(server.routes().stream()
                        .filter(route -> route.scope() == null)
                        .map(Route::path))
                .containsExactlyInAnyOrder(
                        "/healthz", "/livez", "/readyz", "/metrics", "/openapi.json");
    }

    @Test
    void aTokenEndsByTimeOrByRevocationWithoutARestart() {
        TokenText old = house.token(Role.WORKER, Duration.ofDays(1));
        TokenText fresh = house.token(Role.WORKER, Duration.ofDays(1));
        Api first = new Api("http://127.0.0.1:" + server.port(), old.text(), server.routes());
        Api second = new Api("http://127.0.0.1:" + server.port(), fresh.text(), server.routes());
        Api admin = house.api(server, Role.ADMIN);
        first.get("/v1/runs").ok();
        second.get("/v1/runs").ok();

        assertThat(admin.delete("/v1/tokens/" + old.id())
                        .ok()
                        .body()
                        .get("revokedAt")
                        .isTextual())
                .isTrue();
        first.get("/v1/runs").refused(403, "FORBIDDEN");
        second.get("/v1/runs").ok();
        house.update("update weir.api_token set created_at = created_at - interval '2 days',"
                + " expires_at = expires_at - interval '2 days' where id = '" + fresh.id() + "'");
        // Nobody told the server: it knows the token for a second.
        await().untilAsserted(() -> second.get("/v1/runs").refused(403, "FORBIDDEN"));
        admin.delete("/v1/tokens/unknown").refused(404, "NOT_FOUND");
    }

    @Test
    void anAdminMakesTokensAndOnlyTheirDigestIsKept() {
        Api admin = house.api(server, Role.ADMIN);
        Api.Answer made = admin.post(
                        "/v1/tokens", House.json("name", "flow-1", "role", "nifi", "days", "30"))
                .ok();
        String text = made.text("token");
        assertThat(made.text("role")).isEqualTo("worker");
        assertThat(text).startsWith("weir_worker_" + made.text("id") + "_");
        new Api("http://127.0.0.1:" + server.port(), text, server.routes())
                .post("/v1/runs", Flow.create("MADE", "d"))
                .ok();

        assertThat(admin.get("/v1/tokens").ok().body().toString()).doesNotContain(text);
        String secret = text.substring(text.lastIndexOf('_') + 1);
        assertThat(house.ask("select count(*) from weir.api_token t where t::text like '%" + secret
                        + "%'"))
                .isEqualTo("0");
        assertThat(house.ask(
                        "select count(*) from weir.audit a where a::text like '%" + secret + "%'"))
                .isEqualTo("0");
        assertThat(house.ask("select actor from weir.audit where subject = 'token/"
                        + made.text("id") + "'"))
                .isEqualTo("test-admin");
        admin.post("/v1/tokens", House.json("name", "x", "role", "root", "days", "30"))
                .refused(422, "REQUEST_INVALID");
        admin.post("/v1/tokens", House.json("name", "x", "role", "admin", "days", "366"))
                .refused(422, "REQUEST_INVALID");
    }

    @Test
    void aMistypedTokenIsToldWithoutAskingTheLedger() {
        TokenText token = TokenText.of(Role.VIEWER, House.chance());
        assertThat(TokenText.parse(token.text())).contains(token);
        assertThat(token.text()).matches("weir_viewer_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}");
        char last = token.text().charAt(token.text().length() - 1);
        String wrong =
                token.text().substring(0, token.text().length() - 1) + (last == 'x' ? 'y' : 'x');
        assertThat(TokenText.parse(wrong)).isEmpty();
        assertThat(token.toString()).doesNotContain(token.text());
    }

    /** A token that is narrower than its role. */
    @Test
    void scopesNarrowARole() {
        TokenText text = TokenText.of(Role.OPERATOR, House.chance());
        house.books
                .access()
                .create(
                        text.id(),
                        "narrow",
                        "operator",
                        List.of("runs:read"),
                        Digests.sha256(text.text()),
                        Duration.ofDays(1),
                        House.ADMIN);
        Api narrow = new Api("http://127.0.0.1:" + server.port(), text.text(), server.routes());
        narrow.get("/v1/runs").ok();
        narrow.get("/v1/audit").refused(403, "FORBIDDEN");
    }

    @Test
    void theJournalTellsWhoDidWhatAndWhyAndShowsTampering() {
        Flow flow = new Flow(api);
        operator.post(
                        "/v1/runs/" + flow.run + "/cancel",
                        Json.line(Json.object().put("reason", "wrong date")),
                        "X-Request-Id",
                        "req-1")
                .ok();
        var entries =
                operator.get("/v1/audit?subject=run/" + flow.run).ok().body().get("entries");
        assertThat(entries.findValuesAsText("action"))
                .containsExactly("RUN_CANCELLED", "RUN_STARTED");
        assertThat(entries.get(0).path("reason").asText()).isEqualTo("wrong date");
        assertThat(entries.get(0).path("requestId").asText()).isEqualTo("req-1");
        assertThat(entries.get(1).path("actor").asText()).isEqualTo("test-worker");

        assertThatThrownBy(() -> house.update("update weir.audit set actor = 'x'"))
                .hasMessageContaining("update weir.audit");
        String broken = "select violation from (" + invariant() + ") as i where subject = 'run/"
                + flow.run + "' limit 1";
        house.update("alter table weir.audit disable trigger audit_only_grows");
        house.update("update weir.audit set reason = 'other' where reason = 'wrong date'");
        assertThat(house.ask(broken)).isEqualTo("it was changed");
        house.update("update weir.audit set reason = 'wrong date' where reason = 'other'");
        house.update("alter table weir.audit enable trigger audit_only_grows");
    }

    private static String invariant() {
        return Invariant.all().stream()
                .filter(invariant -> invariant.id().equals("O4"))
                .map(Invariant::sql)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void onlyThisMachineIsServedInPlainText() {
        assertThat(Listen.of("localhost", 0, null, false).host()).isEqualTo("localhost");
        assertThatThrownBy(() -> Listen.of("0.0.0.0", 0, null, false))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVER_INSECURE));
        assertThat(Listen.of("0.0.0.0", 0, null, true).host()).isEqualTo("0.0.0.0");
    }
}
