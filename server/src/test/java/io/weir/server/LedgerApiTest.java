package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.client.HttpLedger;
import io.weir.client.LedgerAddress;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.run.Operator;
import io.weir.core.run.RunState;
import io.weir.ledger.access.AuditEntry;
import io.weir.server.access.Role;
import io.weir.testkit.ledger.LedgerScript;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

import java.util.UUID;

/** What the routes of our own workers refuse, and who is said to have acted. */
class LedgerApiTest extends ApiTest {
    private HttpLedger ledger(String token) {
        return HttpLedger.of(
                LedgerAddress.parse("http://127.0.0.1:" + server.port()),
                token,
                HttpLedger.TIMEOUT_DEFAULT);
    }

    private static void refused(ErrorCode code, Runnable call) {
        Assertions.assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        WeirException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void whoCancelsIsSaidByTheToken() {
        HttpLedger worker = ledger(house.token(Role.WORKER));
        LedgerScript script = new LedgerScript(worker, LedgerScript.request("cancelled"));
        Operator claimed = new Operator("somebody else", "wrong day");

        refused(
                ErrorCode.FORBIDDEN,
                () -> worker.cancelRun(script.id(), RunState.CREATED, claimed));
        HttpLedger people = ledger(house.token(Role.OPERATOR));
        people.cancelRun(script.id(), RunState.CREATED, claimed);

        assertThat(people.detail(script.id()).run().state()).isEqualTo(RunState.CANCELLED);
        assertThat(people.events(script.id()).toString())
                .contains("test-operator")
                .contains("wrong day")
                .doesNotContain("somebody else");
    }

    @Test
    void whatOperatorsDoIsInTheJournal() {
        LedgerScript script =
                new LedgerScript(ledger(house.token(Role.WORKER)), LedgerScript.request("asked"));
        HttpLedger people = ledger(house.token(Role.OPERATOR));
        Operator operator = new Operator("-", "wrong day");
        people.cancelRun(script.id(), RunState.CREATED, operator);
        UUID none = UUID.randomUUID();
        refused(
                ErrorCode.DISPATCH_NOT_FOUND,
                () -> people.resendDispatch(script.id(), none, operator));

        var entries = house.books.access().audit("run/" + script.id(), 10);
        assertThat(entries)
                .extracting(AuditEntry::action)
                .containsExactly("RESEND_DISPATCH_REFUSED", "RESEND_DISPATCH", "CANCEL_RUN");
        assertThat(entries).allSatisfy(entry -> {
            assertThat(entry.actor()).isEqualTo("test-operator");
            assertThat(entry.role()).isEqualTo("operator");
            assertThat(entry.reason()).isEqualTo("wrong day");
            assertThat(entry.requestId()).isNotEmpty();
        });
        assertThat(Json.parse(entries.get(0).details()))
                .isEqualTo(Json.object().put("code", "DISPATCH_NOT_FOUND"));
        assertThat(Json.parse(entries.get(1).details()).path("dispatchId").asText())
                .isEqualTo(none.toString());
        assertThat(Json.parse(entries.get(2).details()).path("expected").asText())
                .isEqualTo("CREATED");
    }

    @Test
    void tokensAreAskedFor() {
        refused(ErrorCode.FORBIDDEN, () -> ledger("nonsense").workers());
        refused(
                ErrorCode.FORBIDDEN,
                () -> new LedgerScript(
                        ledger(house.token(Role.VIEWER)), LedgerScript.request("viewer")));
    }

    @Test
    void whatIsNoQuestionIsRefusedByPlace() {
        String id = UUID.randomUUID().toString();
        refused("claim-next", House.json("runId", id, "token", "x", "worker", "w"), "/token: not");
        refused("claim-next", House.json("runId", id), "/token: missing");
        refused("detail", House.json("runId", id, "more", 1), "/more: unknown field");
        refused("detail", House.json("runId", 7), "/runId: not a text");
        refused(
                "runs",
                "{\"filter\":{\"job\":null,\"activeOnly\":true,\"limit\":-1}}",
                "not 1 to 100000 rows: -1");
        refused(
                "claim-next",
                "{\"runId\":\"" + id + "\",\"token\":\"" + id + "\",\"worker\":\"a\\u0000\"}",
                "/worker: it holds a NUL");
        api.post("/v1/ledger/detail", House.json("runId", id)).refused(404, "RUN_NOT_FOUND");
        api.post("/v1/ledger/drop-everything", "{}").refused(404, "NOT_FOUND");
        api.get("/v1/ledger/detail").refused(405, "METHOD_NOT_ALLOWED");
    }

    private void refused(String call, String body, String offence) {
        Api.Answer answer = api.post("/v1/ledger/" + call, body);
        answer.refused(422, "REQUEST_INVALID");
        assertThat(answer.body().at("/details/fields/0").asText()).contains(offence);
    }
}
