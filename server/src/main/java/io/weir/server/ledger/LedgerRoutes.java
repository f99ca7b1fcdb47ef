package io.weir.server.ledger;

import io.weir.client.wire.LedgerCall;
import io.weir.client.wire.LedgerCalls;
import io.weir.core.ledger.WorkLedger;
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

/** One route for each call of the ledger's port; the table of calls is the client's. */
public final class LedgerRoutes {
    private static final Shape ANSWER = Shape.of("LedgerAnswer", Field.any(LedgerCall.ANSWER));

    private LedgerRoutes() {}

    public static List<Route> of(WorkLedger ledger) {
        return LedgerCalls.ALL.stream().<Route>map(call -> route(ledger, call)).toList();
    }

    private static <Q extends Record> Route route(WorkLedger ledger, LedgerCall<Q, ?> called) {
        return Route.post(
                called.path(),
                called.summary(),
                Scope.of(called.scope()),
                shape(called.question()),
                ANSWER,
                call -> answer(ledger, called, call));
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

    private static <Q extends Record> Reply answer(
            WorkLedger ledger, LedgerCall<Q, ?> called, Call call) {
        Q asked;
        try {
            asked = called.asked(call.body().document());
        } catch (IllegalArgumentException e) {
            throw Documents.invalid(List.of("" + e.getMessage()));
        }
        return Reply.ok(called.answer(ledger, asked, call.caller().name()));
    }
}
