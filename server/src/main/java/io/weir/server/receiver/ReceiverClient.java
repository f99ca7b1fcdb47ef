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

import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.io.CloseMode;

import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Calls a receiver: {@code POST <base>/<step>/<job>}. Redirects are not followed and the body of
 * the answer is not read: a receiver can say yes, no and later, nothing else. The name of its host
 * is looked up once for each connection, which goes to an address that was checked.
 */
public final class ReceiverClient implements AutoCloseable {
    /** Answers of the 4xx kind that pass by themselves. */
    private static final Set<Integer> LATER = Set.of(408, 425, 429);

    private static final int CONNECTIONS = 50;
    private static final int SUCCESS = 2;
    private static final int CLIENT = 4;
    private static final int HUNDRED = 100;

    private final String base;
    private final AddressGuard guard;
    private final CloseableHttpClient client;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread made = new Thread(task, "weir-receiver");
        made.setDaemon(true);
        return made;
    });

    /**
     * Prepares to call.
     *
     * @param base address of the receiver; its path may have segments
     * @throws WeirException RECEIVER_NOT_ALLOWED
     */
    public ReceiverClient(String base, AddressGuard guard, Duration timeout) {
        this.base = base.replaceAll("/+$", "");
        this.guard = guard;
        guard.check(this.base);
        this.client = PinnedClient.of(guard, timeout, CONNECTIONS);
    }

    /** Sends one call; what comes of it never throws. */
    public CompletableFuture<Outcome> send(Call call) {
        return CompletableFuture.supplyAsync(() -> sent(call), threads);
    }

    private Outcome sent(Call call) {
        OutsideDispatch dispatch = call.dispatch();
        try {
            HttpPost request = new HttpPost(guard.check(
                    base + "/" + dispatch.kind().path() + "/" + call.run().job()));
            request.setHeader("X-Run-Id", call.run().id().toString());
            request.setHeader("X-Dispatch-Id", dispatch.id().toString());
            request.setEntity(
                    new StringEntity(Json.line(body(call)), ContentType.APPLICATION_JSON));
            return client.execute(request, response -> outcome(response.getCode()));
        } catch (WeirException e) {
            return new Outcome(Result.REFUSED, null, e.text());
        } catch (UnknownHostException e) {
            return new Outcome(Result.POSTPONED, null, "unknown host " + e.getMessage());
        } catch (IOException e) {
            return new Outcome(Result.POSTPONED, null, "no answer: " + rootOf(e));
        }
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

    @Override
    public void close() {
        threads.shutdownNow();
        client.close(CloseMode.IMMEDIATE);
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
