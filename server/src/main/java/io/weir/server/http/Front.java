package io.weir.server.http;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.util.JavalinException;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.server.access.Caller;
import io.weir.server.access.Guard;
import io.weir.server.metric.ServerMetrics;
import io.weir.server.route.Call;
import io.weir.server.route.Problem;
import io.weir.server.route.Reply;
import io.weir.server.route.Route;
import io.weir.server.shape.Documents;
import io.weir.server.shape.Shape;
import io.weir.server.shape.Values;

import org.eclipse.jetty.server.HttpConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Serves routes over HTTP. Every answer has a request id, every error is a problem document. */
public final class Front implements AutoCloseable {
    /** A manifest of ten thousand partitions fits; nothing larger has to. */
    public static final int BODY_MAX = 4 << 20;

    private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    private static final Pattern IDEMPOTENCY_KEY = Pattern.compile("[A-Za-z0-9._:-]{1,100}");
    private static final String REQUEST_ID_HEADER = "X-Request-Id";
    /** Only to find a call again: flows of the older design send it. */
    private static final String RUN_ID_HEADER = "X-Run-Id";

    private static final String ID = "weir.request-id";
    private static final String ANSWERED = "weir.answered";
    private static final Logger LOG = LoggerFactory.getLogger(Front.class);

    private final Guard guard;
    private final ServerMetrics metrics;
    private final Supplier<UUID> ids;
    private final Javalin javalin;

    private Front(
            List<Route> routes,
            Guard guard,
            ServerMetrics metrics,
            Supplier<UUID> ids,
            Listen listen) {
        this.guard = guard;
        this.metrics = metrics;
        this.ids = ids;
        this.javalin = Javalin.create(config -> configure(config, routes, listen));
    }

    /**
     * Starts to listen.
     *
     * @param ids names of calls whose callers name none
     */
    public static Front start(
            List<Route> routes,
            Guard guard,
            ServerMetrics metrics,
            Supplier<UUID> ids,
            Listen listen) {
        Front front = new Front(routes, guard, metrics, ids, listen);
        try {
            front.javalin.start();
        } catch (JavalinException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot listen on " + listen.host() + ":" + listen.port() + ": "
                            + cause.getMessage(),
                    e);
        }
        return front;
    }

    public int port() {
        return javalin.port();
    }

    @Override
    public void close() {
        javalin.stop();
    }

    private void configure(JavalinConfig config, List<Route> routes, Listen listen) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.http.prefer405over404 = true;
        config.http.maxRequestSize = BODY_MAX;
        config.jetty.modifyHttpConfiguration(Front::tellNothing);
        listen.apply(config);
        for (Route route : routes) {
            config.routes.addHttpHandler(
                    HandlerType.findOrCreate(route.method().name()),
                    route.path(),
                    context -> serve(context, route));
        }
        config.routes.error(404, context -> unrouted(context, ErrorCode.ROUTE_NOT_FOUND));
        config.routes.error(405, context -> unrouted(context, ErrorCode.METHOD_NOT_ALLOWED));
        config.routes.exception(
                Exception.class, (error, context) -> answer(context, failed(context, error)));
    }

    /** What serves is nobody's business. */
    private static void tellNothing(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
    }

    private void serve(Context context, Route route) {
        requestId(context);
        MDC.put("requestId", requestId(context));
        String named = context.pathParamMap().get("runId");
        String runId = named == null ? context.header(RUN_ID_HEADER) : named;
        if (runId != null && REQUEST_ID.matcher(runId).matches()) {
            MDC.put("runId", runId);
        }
        try {
            metrics.timed(
                    route.path(),
                    route.method().name(),
                    () -> {
                        answer(context, reply(context, route));
                        return route;
                    },
                    () -> String.valueOf(context.statusCode()));
            journal(context, route);
        } finally {
            MDC.clear();
        }
    }

    private Reply reply(Context context, Route route) {
        try {
            Caller caller = route.scope() == null
                    ? Caller.NOBODY
                    : guard.admit(context.header("Authorization"), route.scope());
            return route.action().apply(call(context, route, caller));
        } catch (RuntimeException | IOException e) {
            return failed(context, e);
        }
    }

    private Call call(Context context, Route route, Caller caller) throws IOException {
        Map<String, String> query = new HashMap<>();
        context.queryParamMap().forEach((name, values) -> {
            if (!route.query().contains(name) || values.size() != 1) {
                throw Documents.invalid(List.of("query: unknown or repeated parameter"));
            }
            query.put(name, values.get(0));
        });
        Shape request = route.request();
        Values body = Documents.read(
                request == null ? Shape.empty("Nothing") : request,
                request == null ? new byte[0] : body(context));
        return new Call(
                Map.copyOf(context.pathParamMap()),
                query,
                body,
                caller,
                requestId(context),
                idempotencyKey(context));
    }

    /** Read with a bound of our own: a length that was announced proves nothing. */
    private static byte[] body(Context context) throws IOException {
        byte[] body = context.bodyInputStream().readNBytes(BODY_MAX + 1);
        if (body.length > BODY_MAX) {
            throw WeirException.of(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "Cannot read the request: its body is too large (most=" + BODY_MAX + " bytes)",
                    Map.of("most", BODY_MAX));
        }
        return body;
    }

    private static @Nullable String idempotencyKey(Context context) {
        String key = context.header("Idempotency-Key");
        if (key != null && !IDEMPOTENCY_KEY.matcher(key).matches()) {
            throw Documents.invalid(
                    List.of("header Idempotency-Key: not of the form " + IDEMPOTENCY_KEY));
        }
        return key;
    }

    private String requestId(Context context) {
        String known = context.attribute(ID);
        if (known != null) {
            return known;
        }
        String named = context.header(REQUEST_ID_HEADER);
        String id = named != null && REQUEST_ID.matcher(named).matches()
                ? named
                : ids.get().toString();
        context.attribute(ID, id);
        return id;
    }

    private Reply failed(Context context, Exception error) {
        WeirException known;
        if (error instanceof WeirException expected) {
            known = expected;
        } else {
            known = new WeirException(ErrorCode.INTERNAL, "Cannot answer: " + error, error);
        }
        int status = Problem.status(known.code());
        if (status >= 500) {
            LOG.atError().setCause(known).addKeyValue("code", known.code()).log(known.text());
        } else {
            LOG.atWarn().addKeyValue("code", known.code()).log(known.text());
        }
        return Problem.of(known, context.path(), requestId(context));
    }

    private void unrouted(Context context, ErrorCode code) {
        if (context.attribute(ANSWERED) == null) {
            WeirException error =
                    new WeirException(code, "Cannot find the route: " + code.meaning());
            answer(context, Problem.of(error, context.path(), requestId(context)));
        }
    }

    private void answer(Context context, Reply reply) {
        context.attribute(ANSWERED, true);
        context.status(reply.status());
        context.contentType(reply.type());
        context.header(REQUEST_ID_HEADER, requestId(context));
        context.header("Cache-Control", "no-store");
        context.header("X-Content-Type-Options", "nosniff");
        reply.headers().forEach(context::header);
        context.result(reply.body());
    }

    /** One line for each call, without its body: bodies hold tokens. */
    private static void journal(Context context, Route route) {
        if (Objects.isNull(route.scope())) {
            return;
        }
        LOG.atInfo()
                .addKeyValue("method", route.method())
                .addKeyValue("route", route.path())
                .addKeyValue("status", context.statusCode())
                .log("Answered");
    }
}
