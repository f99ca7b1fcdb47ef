package io.weir.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A flow that repeats each call, at either server, until it is answered, and writes down what it
 * was told.
 */
final class StubbornFlow {
    static final int PARTITIONS = 3;
    static final int CHUNKS = 3;
    static final int ROWS = 5;

    private static final long AGAIN_NANOS = 50_000_000;
    private static final int CONNECT_MS = 1_000;
    private static final int READ_MS = 5_000;

    private final ServerPair servers;
    private final String token;
    private final String job;
    private final Random random;
    private final List<Entry> journal = new ArrayList<>();
    private int repeated;

    StubbornFlow(ServerPair servers, String token, String job, long seed) {
        this.servers = servers;
        this.token = token;
        this.job = job;
        this.random = new Random(seed);
    }

    /**
     * A run that this flow brought to its end.
     *
     * @param paths of the chunks that were acknowledged, sorted
     */
    record Entry(String run, List<String> paths, String state) {}

    List<Entry> journal() {
        return List.copyOf(journal);
    }

    /** How many calls were made again. */
    int repeated() {
        return repeated;
    }

    void driveUntil(BooleanSupplier over) {
        for (int number = 0; !over.getAsBoolean(); number++) {
            drive(number);
        }
    }

    private void drive(int number) {
        JsonNode created = call(
                "POST",
                "/v1/runs",
                Json.object()
                        .put("jobKey", job)
                        .put("businessKey", "day-" + number)
                        .put("hdfsRoot", "/data/stage")
                        .put("stageTablePrefix", "STG_"),
                job + "-" + number);
        String run = created.path("runId").asText();
        String at = "/v1/runs/" + run;
        post(at + "/manifest", manifest());
        List<String> paths = new ArrayList<>();
        for (int part = 0; part < PARTITIONS; part++) {
            extract(at + "/partitions/000" + part, created, part, paths);
        }
        String dispatch = call("GET", at, null, null)
                .path("dispatches")
                .path(0)
                .path("dispatchId")
                .asText();
        must(
                post(
                        at + "/validation/start",
                        Json.object().put("dispatchId", dispatch).put("owner", job)),
                "started");
        post(at + "/validations", figures("STAGING"));
        must(post(at + "/stage-validated", Json.object()), "stageValidated");
        String publish = UUID.randomUUID().toString();
        must(post(at + "/publish/claim", Json.object().put("publishToken", publish)), "claimed");
        post(
                at + "/publish/result",
                Json.object().put("publishToken", publish).put("outcome", "PUBLISHED"));
        post(at + "/validations", figures("TARGET"));
        JsonNode end = must(post(at + "/success", Json.object()), "success");
        journal.add(new Entry(
                run, paths.stream().sorted().toList(), end.path("runStatus").asText()));
    }

    private void extract(String at, JsonNode created, int part, List<String> paths) {
        String claim = UUID.randomUUID().toString();
        must(
                post(at + "/claim", Json.object().put("claimToken", claim).put("workerNode", job)),
                "claimed");
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            String path = created.path("hdfsRunPath").asText() + "/p-" + part + "-" + chunk;
            must(
                    post(
                            at + "/chunks",
                            Json.object()
                                    .put("claimToken", claim)
                                    .put("chunkIndex", chunk)
                                    .put("chunkCount", CHUNKS)
                                    .put("hdfsPath", path)
                                    .put("recordCount", ROWS)),
                    "recorded");
            paths.add(path);
        }
    }

    private static ObjectNode manifest() {
        int rows = PARTITIONS * CHUNKS * ROWS;
        ObjectNode manifest = Json.object()
                .put("snapshotScn", "1")
                .put("sourceCount", rows)
                .put("sourceMinSplit", "0")
                .put("sourceMaxSplit", String.valueOf(PARTITIONS))
                .put("plannedPartitionCount", PARTITIONS);
        for (int i = 0; i < PARTITIONS; i++) {
            manifest.withArray("partitions")
                    .addObject()
                    .put("partitionId", "000" + i)
                    .put("lowerBound", String.valueOf(i))
                    .put("upperBound", String.valueOf(i + 1))
                    .put("upperInclusive", i == PARTITIONS - 1)
                    .put("expectedRowCount", CHUNKS * ROWS);
        }
        return manifest;
    }

    private static ObjectNode figures(String stage) {
        String rows = String.valueOf(PARTITIONS * CHUNKS * ROWS);
        ObjectNode figures = Json.object().put("stage", stage);
        figures.putArray("metrics")
                .addObject()
                .put("metricName", "ROW_COUNT")
                .put("expectedValue", rows)
                .put("actualValue", rows)
                .put("result", "PASS");
        return figures;
    }

    private static JsonNode must(JsonNode answer, String field) {
        if (!answer.path(field).asBoolean()) {
            throw new IllegalStateException("Not " + field + ": " + answer);
        }
        return answer;
    }

    private JsonNode post(String path, ObjectNode body) {
        return call("POST", path, body, null);
    }

    private JsonNode call(
            String method, String path, @Nullable ObjectNode body, @Nullable String key) {
        while (true) {
            String address = servers.address(random.nextInt(ServerPair.SERVERS));
            JsonNode answer = once(method, address + path, body, key);
            if (answer != null) {
                return answer;
            }
            repeated++;
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }

    /** Null if the call is to be made again. */
    private @Nullable JsonNode once(
            String method, String url, @Nullable ObjectNode body, @Nullable String key) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url).toURL().openConnection();
            connection.setConnectTimeout(CONNECT_MS);
            connection.setReadTimeout(READ_MS);
            connection.setRequestMethod(method);
            connection.setRequestProperty("Authorization", "Bearer " + token);
            if (key != null) {
                connection.setRequestProperty("Idempotency-Key", key);
            }
            if (body != null) {
                connection.setDoOutput(true);
                connection
                        .getOutputStream()
                        .write(Json.line(body).getBytes(StandardCharsets.UTF_8));
            }
            int status = connection.getResponseCode();
            if (status == HttpURLConnection.HTTP_UNAVAILABLE) {
                connection.getErrorStream().readAllBytes();
                return null;
            }
            try (InputStream reply =
                    status == 200 ? connection.getInputStream() : connection.getErrorStream()) {
                String text = new String(reply.readAllBytes(), StandardCharsets.UTF_8);
                if (status != 200) {
                    throw new IllegalStateException(url + " " + status + " " + text);
                }
                return Json.parse(text);
            }
        } catch (IOException e) {
            return null;
        }
    }
}
