package io.weir.server.receiver;

import io.weir.core.run.Dispatch.DispatchState;
import io.weir.ledger.outside.OutsideDispatch;
import io.weir.ledger.outside.OutsideOutbox;
import io.weir.ledger.outside.OutsideOutbox.Call;
import io.weir.ledger.outside.OutsideOutbox.Outcome;
import io.weir.server.metric.ServerMetrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Delivers what is due, a batch at once, with no transaction open while a receiver answers. */
public final class Deliveries implements AutoCloseable {
    private static final int BATCH = 20;

    private final OutsideOutbox outbox;
    private final ReceiverClient client;
    private final ServerMetrics metrics;

    public Deliveries(OutsideOutbox outbox, ReceiverClient client, ServerMetrics metrics) {
        this.outbox = outbox;
        this.client = client;
        this.metrics = metrics;
    }

    /** Delivers until nothing is due; how many rows. */
    public int deliverDue() {
        int delivered = 0;
        List<Call> due = outbox.lease(BATCH);
        while (!due.isEmpty()) {
            Map<Call, CompletableFuture<Outcome>> sent = new LinkedHashMap<>();
            due.forEach(call -> sent.put(call, client.send(call)));
            sent.forEach((call, outcome) -> settle(call, outcome.join()));
            delivered += due.size();
            due = outbox.lease(BATCH);
        }
        return delivered;
    }

    private void settle(Call call, Outcome outcome) {
        OutsideDispatch after = outbox.settle(call.dispatch(), outcome);
        boolean dead = after.state() == DispatchState.DEAD;
        boolean taken = outcome.result() == OutsideOutbox.Result.TAKEN;
        metrics.dispatched(call.dispatch().kind(), taken ? "sent" : dead ? "dead" : "retry");
    }

    @Override
    public void close() {
        client.close();
    }
}
