package io.weir.server.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.client.wire.LedgerCall;
import io.weir.client.wire.LedgerCalls;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.ledger.WorkLedger;
import io.weir.ledger.access.AccessBooks;
import io.weir.server.access.Scope;
import io.weir.server.route.Call;
import io.weir.server.route.Reply;
import io.weir.server.route.Route;
import io.weir.server.shape.Documents;
import io.weir.server.shape.Field;
import io.weir.server.shape.Shape;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One route for each call of the ledger's port; the table of calls is the client's. */
public final class LedgerRoutes {
    private static final Shape ANSWER = Shape.of("LedgerAnswer", Field.any(LedgerCall.ANSWER));

    private LedgerRoutes() {}

    /**
     * Every route.
     *
     * @param journal where it is kept who acted as an operator, and why
     */
    public static List<Route> of(WorkLedger ledger, AccessBooks journal) {
        LedgerDocuments documents = new LedgerDocuments();
        return LedgerCalls.ALL.stream()
                .<Route>map(call -> route(ledger, journal, call).under(documents.of(call)))
                .toList();
    }

    private static <Q extends Record> Route route(
            WorkLedger ledger, AccessBooks journal, LedgerCall<Q, ?> called) {
        return Route.post(
                called.path(),
                called.summary(),
                Scope.of(called.scope()),
                shape(called.question()),
                ANSWER,
                Scope.of(called.scope()) == Scope.OPERATOR_ACT
                        ? call -> journaled(ledger, journal, called, call)
                        : call -> answer(ledger, called, call));
    }

    /** Two calls may ask with the same fields; their shape is then one. */
    private static Shape shape(Class<? extends Record> question) {
        return new Shape(
                "Ledger" + question.getSimpleName(),
                Arrays.stream(question.getRecordComponents())
                        .map(RecordComponent::getName)
                        .map(Field::any)
                        .toList());
    }

    /** In the journal before it is done: nothing that a person did can be missing there. */
    private static <Q extends Record> Reply journaled(
            WorkLedger ledger, AccessBooks journal, LedgerCall<Q, ?> called, Call call) {
        Q asked = asked(called, call);
        ObjectNode details = called.document(asked);
        String subject = "run/" + details.path("runId").asText();
        String action = called.name().toUpperCase(Locale.ROOT).replace('-', '_');
        String reason = details.path("reason").asText();
        details.remove("reason");
        journal.append(subject, call.actor(), action, reason, Json.line(details));
        try {
            return Reply.ok(called.answer(ledger, asked, call.caller().name()));
        } catch (WeirException e) {
            String code = Json.line(Json.object().put("code", e.code().name()));
            journal.append(subject, call.actor(), action + "_REFUSED", reason, code);
            throw e;
        }
    }

    private static <Q extends Record> Reply answer(
            WorkLedger ledger, LedgerCall<Q, ?> called, Call call) {
        return Reply.ok(called.answer(ledger, asked(called, call), call.caller().name()));
    }

    private static <Q extends Record> Q asked(LedgerCall<Q, ?> called, Call call) {
        try {
            return called.asked(call.body().document());
        } catch (IllegalArgumentException e) {
            throw Documents.invalid(List.of("" + e.getMessage()));
        }
    }
}
