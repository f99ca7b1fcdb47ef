package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Reports that meet, overlap or come in batches. */
class ReportsApiTest extends ApiTest {
    private final UUID token = UUID.randomUUID();

    private Flow flow(long... rows) {
        Flow flow = new Flow(api);
        flow.register(rows).ok();
        return flow;
    }

    /** What is known of a batch is left as it is; the rest is new and may end the partition. */
    @Test
    void aBatchMayOverlapWhatIsKnown() {
        Flow flow = flow(9);
        flow.claim(0, token).ok();
        assertThat(batch(flow, 2, 0, 1).ok().body().path("receivedChunks").asInt())
                .isEqualTo(2);
        assertThat(batch(flow, 2, 0, 1).ok().body().path("receivedChunks").asInt())
                .isEqualTo(2);
        assertThat(batch(flow, 2, 1, 2).ok().body().path("receivedChunks").asInt())
                .isEqualTo(3);
        batch(flow, 1, 0, 3).refused(409, "CHUNK_CONFLICT");
        assertThat(flow.report(0, token, 3, 4, 3).ok().text("partitionStatus"))
                .isEqualTo("SUCCESS");
        assertThat(house.ask("select string_agg(rows::text, ',' order by chunk_index)"
                        + " from weir.outside_chunk where run_id = '" + flow.run + "'"))
                .isEqualTo("2,2,2,3");
    }

    /** The first ones that are good stay, as if each had come alone. */
    @Test
    void aBatchStopsAtTheFirstThatIsRefused() {
        Flow flow = flow(9);
        flow.claim(0, token).ok();
        ObjectNode batch = Json.object();
        batch.putArray("chunks")
                .add(flow.chunk(0, token, 0, 4, 1))
                .add(flow.chunk(0, token, 1, 4, 1).put("hdfsPath", "/elsewhere/x"))
                .add(flow.chunk(0, token, 2, 4, 1));
        api.post(flow.at(0) + "/chunks:batch", Json.line(batch))
                .refused(422, "HDFS_PATH_OUTSIDE_RUN");
        assertThat(house.ask("select string_agg(chunk_index::text, ',') from weir.outside_chunk"
                        + " where run_id = '" + flow.run + "'"))
                .isEqualTo("0");
    }

    @RepeatedTest(3)
    void oneChunkFromManyAtOnceCountsOnce() {
        Flow flow = flow(9);
        flow.claim(0, token).ok();
        List<Integer> received = atOnce(
                8,
                () -> flow.report(0, token, 0, 2, 4)
                        .ok()
                        .body()
                        .path("receivedChunks")
                        .asInt());
        assertThat(received).containsOnly(1);
        assertThat(house.ask("select chunk_count || ' ' || rows from weir.outside_partition"
                        + " where run_id = '" + flow.run + "'"))
                .isEqualTo("1 4");
    }

    /** Different chunks of one partition at once: none is lost and none ends it too early. */
    @RepeatedTest(3)
    void manyChunksAtOnceAreAllCounted() {
        Flow flow = flow(16);
        flow.claim(0, token).ok();
        AtomicInteger next = new AtomicInteger();
        List<String> states = atOnce(
                8,
                () -> flow.report(0, token, next.getAndIncrement(), 8, 2)
                        .ok()
                        .text("partitionStatus"));
        assertThat(states).containsOnlyOnce("SUCCESS");
        assertThat(flow.state()).isEqualTo("EXTRACTED_VALIDATED");
    }

    private Api.Answer batch(Flow flow, long rows, int... indexes) {
        ObjectNode batch = Json.object();
        var chunks = batch.putArray("chunks");
        for (int index : indexes) {
            chunks.add(flow.chunk(0, token, index, 4, rows));
        }
        return api.post(flow.at(0) + "/chunks:batch", Json.line(batch));
    }
}
