package io.weir.server.outside;

import io.weir.core.json.Json;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideDispatch;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.OutsideReplies;
import io.weir.ledger.outside.OutsideRequests;
import io.weir.ledger.outside.OutsideRun;
import io.weir.ledger.outside.RunQuery;
import io.weir.server.access.Scope;
import io.weir.server.route.Call;
import io.weir.server.route.Reply;
import io.weir.server.route.Route;
import io.weir.server.shape.Values;

import java.util.ArrayList;
import java.util.List;

/** What people look at and act upon, and what cleans up. */
public final class OperatorRoutes {
    private static final String RUN = "/v1/runs/{runId}";
    private static final int RUNS = 50;
    private static final int RUNS_MAX = 500;
    private static final int EVENTS = 300;
    private static final int EVENTS_MAX = 5_000;
    private static final int CLEANUPS = 50;
    private static final int CLEANUPS_MAX = 1_000;
    private static final String NO_REASON = "no reason given";

    private final OutsideLedger ledger;

    public OperatorRoutes(OutsideLedger ledger) {
        this.ledger = ledger;
    }

    public List<Route> all() {
        List<Route> routes = new ArrayList<>(reading());
        routes.addAll(acting());
        return routes;
    }

    private List<Route> reading() {
        return List.of(
                Route.get(
                                "/v1/runs",
                                "Lists runs, newest first.",
                                Scope.RUNS_READ,
                                ReplyShapes.RUN,
                                this::list)
                        .listing()
                        .asking("jobKey", "businessKey", "status", "limit"),
                Route.get(
                        RUN,
                        "Shows one run.",
                        Scope.RUNS_READ,
                        ReplyShapes.RUN_DETAIL,
                        call -> Reply.ok(OutsideJson.detail(ledger.detail(call.runId())))),
                Route.get(
                        RUN + "/explain",
                        "Says what a run waits for and what to do.",
                        Scope.RUNS_READ,
                        ReplyShapes.EXPLAINED,
                        call -> Reply.ok(OutsideExplain.of(ledger.detail(call.runId())))),
                Route.get(
                        RUN + "/certificate",
                        "Says what the ledger vouches for after a run, and what not.",
                        Scope.RUNS_READ,
                        ReplyShapes.CERTIFICATE,
                        call -> Reply.ok(OutsideCertificate.of(
                                ledger.detail(call.runId()), ledger.metrics(call.runId())))),
                Route.get(
                        RUN + "/validations",
                        "Lists the figures of a run.",
                        Scope.RUNS_READ,
                        ReplyShapes.METRICS,
                        call -> Reply.ok(OutsideJson.metrics(
                                call.runId().toString(), ledger.metrics(call.runId())))),
                Route.get(
                                RUN + "/events",
                                "Lists the newest events of a run, oldest of them first.",
                                Scope.RUNS_READ,
                                ReplyShapes.EVENTS,
                                call -> Reply.ok(OutsideJson.events(
                                        call.runId().toString(),
                                        ledger.events(
                                                call.runId(), call.limit(EVENTS, EVENTS_MAX)))))
                        .asking("limit"),
                Route.get(
                        "/v1/monitor/summary",
                        "Shows the whole ledger at a glance.",
                        Scope.RUNS_READ,
                        ReplyShapes.SUMMARY,
                        call -> Reply.ok(OutsideJson.summary(ledger.summary()))));
    }

    private List<Route> acting() {
        return List.of(
                Route.get(
                                "/v1/cleanup/candidates",
                                "Lists runs that may be cleaned up after.",
                                Scope.CLEANUP_WORK,
                                ReplyShapes.CANDIDATES,
                                this::candidates)
                        .asking("jobKey", "limit"),
                Route.post(
                        RUN + "/cleanup",
                        "Records that what a run left behind is gone.",
                        Scope.CLEANUP_WORK,
                        OutsideShapes.CLEANUP,
                        ReplyShapes.STATE_CHANGED,
                        this::cleaned),
                Route.post(
                        RUN + "/dispatches/{dispatchId}/resend",
                        "Sends a row of the outbox again.",
                        Scope.OPERATOR_ACT,
                        OutsideShapes.RESEND,
                        ReplyShapes.RESENT,
                        this::resend),
                Route.post(
                        RUN + "/publish-unknown/resolve",
                        "Settles a run whose publishing nobody but a person can tell.",
                        Scope.OPERATOR_RESOLVE,
                        OutsideShapes.RESOLVE,
                        ReplyShapes.STATE_CHANGED,
                        this::resolve),
                Route.post(
                        RUN + "/cancel",
                        "Ends a run that nobody can have seen yet.",
                        Scope.OPERATOR_ACT,
                        OutsideShapes.CANCEL,
                        ReplyShapes.STATE_CHANGED,
                        this::cancel));
    }

    private Reply list(Call call) {
        RunQuery query = new RunQuery(
                call.query("jobKey", OutsideShapes.JOB),
                call.query("businessKey", OutsideShapes.BUSINESS_KEY),
                call.constant("status", RunState.class),
                call.limit(RUNS, RUNS_MAX));
        var list = Json.array();
        for (OutsideRun run : ledger.runs(query)) {
            list.add(OutsideJson.run(run));
        }
        return Reply.ok(list);
    }

    private Reply candidates(Call call) {
        var node = Json.object();
        var runs = node.putArray("runs");
        ledger.cleanable(
                        call.query("jobKey", OutsideShapes.JOB), call.limit(CLEANUPS, CLEANUPS_MAX))
                .forEach(run -> runs.add(OutsideJson.run(run)));
        return Reply.ok(node);
    }

    private Reply cleaned(Call call) {
        return Reply.ok(OutsideJson.changed(ledger.cleaned(
                call.runId(),
                call.body().textOrNull("droppedTable"),
                call.body().textOrNull("deletedPath"),
                call.actor())));
    }

    private Reply resend(Call call) {
        OutsideDispatch dispatch = ledger.outbox()
                .resend(
                        call.runId(),
                        call.id("dispatchId"),
                        call.operator(call.body().text("reason", NO_REASON)),
                        call.actor());
        return Reply.ok(Json.object()
                .put("dispatchId", dispatch.id().toString())
                .put("status", dispatch.state().name()));
    }

    private Reply resolve(Call call) {
        Values body = call.body();
        List<OutsideRequests.Evidence> evidence = body.list("evidence").stream()
                .map(seen -> new OutsideRequests.Evidence(seen.text("check"), seen.text("finding")))
                .toList();
        OutsideRequests.Resolve request = new OutsideRequests.Resolve(
                body.constant("resolution", RunState.class), body.text("reason"), evidence);
        OutsideReplies.Changed reply = ledger.resolve(
                call.runId(), request, call.operator(body.text("reason")), call.actor());
        return Reply.ok(OutsideJson.changed(reply));
    }

    private Reply cancel(Call call) {
        Values body = call.body();
        String expected = body.textOrNull("expectedStatus");
        OutsideReplies.Changed reply = ledger.cancel(
                call.runId(),
                expected == null ? null : RunState.valueOf(expected),
                call.operator(body.text("reason")),
                call.actor());
        return Reply.ok(OutsideJson.changed(reply));
    }
}
