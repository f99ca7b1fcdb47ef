package io.weir.bench;

import io.weir.bench.Clients.Call;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.run.Bound;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Loss;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotToken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/** Runs in state EXTRACTING and clients that claim their partitions or report their chunks. */
final class LedgerRuns {
    private static final Duration LEASE = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofHours(6);
    private static final long ROWS = 50_000;
    private static final long BYTES = 134_217_728;

    private final Ledger ledger;

    LedgerRuns(Ledger ledger) {
        this.ledger = ledger;
    }

    /** A run of its own job, whose partitions nobody has claimed. */
    RunId create(int partitions) {
        String name = UUID.randomUUID().toString();
        RunId id = ledger.createRun(new CreateRun(
                        name,
                        "job-" + name,
                        "2026-11-30",
                        "shop",
                        "public.orders",
                        "sales.orders_" + name,
                        PublishMode.APPEND,
                        "file:///lake/sales/orders/data",
                        false,
                        LEASE,
                        TIMEOUT,
                        RecoveryMode.REISSUE,
                        null))
                .id();
        ledger.registerManifest(id, manifest(partitions));
        return id;
    }

    private static Manifest manifest(int partitions) {
        List<Manifest.Part> parts = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            parts.add(new Manifest.Part(
                    PartitionId.ofIndex(i),
                    KeyRange.between(bound(i), i == partitions - 1 ? null : bound(i + 1)),
                    null));
        }
        return new Manifest(
                new SnapshotToken(SnapshotToken.POSTGRESQL, "00000003-00000002-1"),
                null,
                Consistency.SAME_SNAPSHOT,
                ROWS * partitions,
                List.of("id", "customer", "amount", "created_at", "status"),
                List.of("id"),
                ReadOptions.NONE,
                List.of(new Measure(MetricName.ROW_COUNT, Long.toString(ROWS * partitions))),
                parts);
    }

    private static @Nullable Bound bound(int index) {
        return index == 0 ? null : new Bound("ctid", "(" + index + ",0)");
    }

    /** Claims partitions of a run by their ids, each once. */
    Call claims(RunId run, int first, int count) {
        Deque<PartitionId> left = ids(first, count);
        return () -> {
            PartitionId id = left.poll();
            if (id == null) {
                return 0;
            }
            UUID token = UUID.randomUUID();
            if (ledger.claim(run, id, token, "worker-1").isEmpty()) {
                throw new IllegalStateException("Nobody can claim partition " + id);
            }
            return 1;
        };
    }

    /** Takes whatever partition of the run comes next. */
    Call queue(RunId run) {
        return () -> ledger.claimNext(run, UUID.randomUUID(), "worker-1").isPresent() ? 1 : 0;
    }

    /**
     * Reports chunks of partitions that it has claimed before.
     *
     * @param batch how many in one call
     * @param calls how often for one partition; its last chunk is never reported
     */
    Call reports(RunId run, int first, int count, int batch, int calls) {
        Deque<Claim> claims = new ArrayDeque<>();
        for (PartitionId id : ids(first, count)) {
            WorkOrder order =
                    ledger.claim(run, id, UUID.randomUUID(), "worker-1").orElseThrow();
            claims.add(order.claim());
        }
        return new Reporter(ledger, claims, batch, calls)::report;
    }

    private static Deque<PartitionId> ids(int first, int count) {
        Deque<PartitionId> ids = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            ids.add(PartitionId.ofIndex(first + i));
        }
        return ids;
    }

    /** One client, used by one thread at a time. */
    private static final class Reporter {
        private final Ledger ledger;
        private final Deque<Claim> claims;
        private final int batch;
        private final int calls;
        private int call;

        Reporter(Ledger ledger, Deque<Claim> claims, int batch, int calls) {
            this.ledger = ledger;
            this.claims = claims;
            this.batch = batch;
            this.calls = calls;
        }

        int report() {
            if (call == calls) {
                claims.remove();
                call = 0;
            }
            Claim claim = claims.peek();
            if (claim == null) {
                return 0;
            }
            List<ChunkReport> reports = new ArrayList<>();
            for (int i = 0; i < batch; i++) {
                reports.add(chunk(call * batch + i));
            }
            call++;
            PartitionState state = ledger.reportChunks(claim, reports).partitionState();
            if (state != PartitionState.RUNNING) {
                throw new IllegalStateException("A partition is " + state);
            }
            return batch;
        }

        private static ChunkReport chunk(int index) {
            return new ChunkReport(
                    index,
                    BYTES + index,
                    new Balance(ROWS, -index, 0x9E3779B97F4A7C15L * index),
                    List.of(new Loss("amount", 1)),
                    false);
        }
    }
}
