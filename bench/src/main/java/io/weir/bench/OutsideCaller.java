package io.weir.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.bench.Clients.Call;
import io.weir.core.json.Json;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A flow of somebody else, as far as it claims partitions and reports chunks. */
final class OutsideCaller {
    private static final long ROWS = 50_000;
    private static final long BYTES = 134_217_728;
    private static final long AGAIN_NANOS = 100_000_000;
    private static final int OK = 200;

    private final String address;
    private final String token;
    private final AtomicLong refused = new AtomicLong();

    static {
        // Each client keeps its connection, and repeats a call itself.
        System.setProperty("http.maxConnections", "64");
        System.setProperty("sun.net.http.retryPost", "false");
    }

    OutsideCaller(String address, String token) {
        this.address = address;
        this.token = token;
    }

    /** A run that reads. */
    record Run(String id, String path) {}

    /** A partition under a claim. */
    private record Held(Run run, String partition, String token) {}

    /** An answer that is none: nobody there, or busy. */
    private static final class NotTaken extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotTaken(String message) {
            super(message);
        }
    }

    Run create(int partitions) {
        String job = "JOB_" + UUID.randomUUID().toString().replace("-", "");
        JsonNode created = post(
                "/v1/runs",
                Json.object()
                        .put("jobKey", job.toUpperCase(Locale.ROOT))
                        .put("businessKey", "2026-11-30")
                        .put("hdfsRoot", "/data/stage")
                        .put("stageTablePrefix", "STG_"));
        Run run = new Run(
                created.get("runId").asText(), created.get("hdfsRunPath").asText());
        post("/v1/runs/" + run.id + "/manifest", manifest(partitions));
        return run;
    }

    private static ObjectNode manifest(int partitions) {
        ObjectNode manifest = Json.object()
                .put("snapshotScn", "1")
                .put("sourceCount", ROWS * partitions)
                .put("sourceMinSplit", "0")
                .put("sourceMaxSplit", String.valueOf(partitions))
                .put("plannedPartitionCount", partitions);
        ArrayNode parts = manifest.putArray("partitions");
        for (int i = 0; i < partitions; i++) {
            parts.addObject()
                    .put("partitionId", id(i))
                    .put("lowerBound", String.valueOf(i))
                    .put("upperBound", String.valueOf(i + 1))
                    .put("upperInclusive", i == partitions - 1)
                    .put("expectedRowCount", ROWS);
        }
        return manifest;
    }

    private static String id(int index) {
        return String.format(Locale.ROOT, "%04d", index);
    }

    private Held claim(Run run, String partition) {
        Held held = new Held(run, partition, UUID.randomUUID().toString());
        JsonNode answer = post(
                at(held) + "/claim",
                Json.object().put("claimToken", held.token).put("workerNode", "node-1"));
        if (!answer.path("claimed").asBoolean()) {
            throw new IllegalStateException("Nobody can claim partition " + partition);
        }
        return held;
    }

    private static String at(Held held) {
        return "/v1/runs/" + held.run.id + "/partitions/" + held.partition;
    }

    /** Claims the partitions of a run one after the other. */
    Call claims(Run run, int count) {
        Deque<String> left = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            left.add(id(i));
        }
        return () -> {
            String partition = left.poll();
            if (partition == null) {
                return 0;
            }
            claim(run, partition);
            return 1;
        };
    }

    /**
     * Reports chunks of partitions that it claims when it comes to them.
     *
     * @param calls how often for one partition; its last chunk is never reported
     */
    Call reports(Run run, int first, int batch, int calls) {
        return new Reporter(run, first, batch, calls)::report;
    }

    /** One client, used by one thread at a time. */
    private final class Reporter {
        private final Run run;
        private final int batch;
        private final int calls;
        private int partition;
        private int call;
        private Held held;

        Reporter(Run run, int first, int batch, int calls) {
            this.run = run;
            this.batch = batch;
            this.calls = calls;
            this.partition = first;
            this.held = claim(run, id(first));
        }

        int report() {
            if (call == calls) {
                held = claim(run, id(partition + 1));
                partition++;
                call = 0;
            }
            ObjectNode body = chunk(call * batch);
            if (batch > 1) {
                ArrayNode chunks = Json.array();
                for (int i = 0; i < batch; i++) {
                    chunks.add(chunk(call * batch + i));
                }
                body = Json.object().set("chunks", chunks);
            }
            post(at(held) + (batch > 1 ? "/chunks:batch" : "/chunks"), body);
            call++;
            return batch;
        }

        private ObjectNode chunk(int index) {
            return Json.object()
                    .put("claimToken", held.token)
                    .put("chunkIndex", index)
                    .put("chunkCount", calls * batch + 1)
                    .put("hdfsPath", run.path + "/part-" + held.partition + "-" + index)
                    .put("recordCount", ROWS)
                    .put("byteCount", BYTES);
        }
    }

    /** How many calls of {@link #untilTaken} a running server did not take. */
    long refused() {
        return refused.get();
    }

    /** Makes a number of calls, each as often as it has to. */
    void untilTaken(Call call, int count) {
        for (int done = 0; done < count; ) {
            try {
                done += call.call();
            } catch (NotTaken e) {
                refused.incrementAndGet();
                LockSupport.parkNanos(AGAIN_NANOS);
            } catch (UncheckedIOException e) {
                LockSupport.parkNanos(AGAIN_NANOS);
            }
        }
    }

    private JsonNode post(String path, ObjectNode body) {
        byte[] bytes = Json.line(body).getBytes(StandardCharsets.UTF_8);
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(address + path).toURL().openConnection();
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setRequestProperty("Authorization", "Bearer " + token);
            connection.setRequestProperty("Content-Type", "application/json");
            connection.getOutputStream().write(bytes);
            int status = connection.getResponseCode();
            try (InputStream reply =
                    status == OK ? connection.getInputStream() : connection.getErrorStream()) {
                String text = new String(reply.readAllBytes(), StandardCharsets.UTF_8);
                if (status != OK) {
                    throw new NotTaken(path + " " + status + " " + text);
                }
                return Json.parse(text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
