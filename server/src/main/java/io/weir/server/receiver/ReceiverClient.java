package io.weir.server.receiver;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.ledger.outside.OutsideDispatch;
import io.weir.ledger.outside.OutsideOutbox.Call;
import io.weir.ledger.outside.OutsideOutbox.Outcome;
import io.weir.ledger.outside.OutsideOutbox.Result;
import io.weir.ledger.outside.OutsidePartition;
import io.weir.ledger.outside.OutsideRun;

import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Calls a receiver: {@code POST <base>/<step>/<job>}. Redirects are not followed and the body of
 * the answer is not read: a receiver can say yes, no and later, nothing else.
 */
public final class ReceiverClient {
    /** Answers of the 4xx kind that pass by themselves. */
    private static final Set<Integer> LATER = Set.of(408, 425, 429);

    private static final int SUCCESS = 2;
    private static final int CLIENT = 4;
    private static final int HUNDRED = 100;

    private final String base;
    private final AddressGuard guard;
    private final Duration timeout;
    private final HttpClient client;

    /**
     * Prepares to call.
     *
     * @param base address of the receiver; its path may have segments
     * @throws WeirException RECEIVER_NOT_ALLOWED
     */
    public ReceiverClient(String base, AddressGuard guard, Duration timeout) {
        this.base = base.replaceAll("/+$", "");
        this.guard = guard;
        this.timeout = timeout;
        guard.check(this.base);
        this.client = HttpClient.newBuilder()
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    /** Sends one call; what comes of it never throws. */
    public CompletableFuture<Outcome> send(Call call) {
        OutsideDispatch dispatch = call.dispatch();
        URI uri;
        try {
            uri = guard.check(
                    base + "/" + dispatch.kind().path() + "/" + call.run().job());
            guard.checkTarget(uri);
        } catch (WeirException e) {
            return CompletableFuture.completedFuture(new Outcome(Result.REFUSED, null, e.text()));
        } catch (UnknownHostException e) {
            return CompletableFuture.completedFuture(
                    new Outcome(Result.POSTPONED, null, "unknown host " + e.getMessage()));
        }
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("X-Run-Id", call.run().id().toString())
                .header("X-Dispatch-Id", dispatch.id().toString())
                .POST(HttpRequest.BodyPublishers.ofString(Json.line(body(call))))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .thenApply(response -> outcome(response.statusCode()))
                .exceptionally(error ->
                        new Outcome(Result.POSTPONED, null, "no answer: " + rootOf(error)));
    }

    /** What an answer means. */
    static Outcome outcome(int status) {
        if (status / HUNDRED == SUCCESS) {
            return new Outcome(Result.TAKEN, status, "");
        }
        boolean never = status / HUNDRED == CLIENT && !LATER.contains(status);
        return new Outcome(never ? Result.REFUSED : Result.POSTPONED, status, "answered " + status);
    }

    private static String rootOf(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.toString();
    }

    /** Assembled from the ledger at this moment. */
    static ObjectNode body(Call call) {
        OutsideRun run = call.run();
        ObjectNode node = Json.object()
                .put("runId", run.id().toString())
                .put("dispatchId", call.dispatch().id().toString());
        OutsidePartition partition = call.partition();
        if (partition == null) {
            return node;
        }
        return node.put("partitionId", partition.id().value())
                .put("businessKey", run.businessKey())
                .put("snapshotScn", run.snapshot())
                .put("hdfsRunPath", run.runPath())
                .put("lowerBound", partition.lower())
                .put("upperBound", partition.upper())
                .put("upperInclusive", partition.upperInclusive())
                .put("isNullPartition", partition.isNull())
                .put("expectedRowCount", partition.expectedRows());
    }
}
