package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Claims, chunks and failures of partitions. */
class PartitionsApiTest extends ApiTest {
    private final UUID token = UUID.randomUUID();

    private Flow flow(long... rows) {
        Flow flow = new Flow(api);
        flow.register(rows).ok();
        return flow;
    }

    @Test
    void aPartitionHasOneOwner() {
        Flow flow = flow(3, 4);

        Api.Answer won = flow.claim(0, token).ok();
        assertThat(won.truth("claimed")).isTrue();
        assertThat(won.body().path("attempt").asInt()).isEqualTo(1);
        assertThat(won.body().path("epoch").asInt()).isEqualTo(1);
        assertThat(won.text("partitionStatus")).isEqualTo("RUNNING");
        assertThat(won.body().at("/workOrder/snapshotScn").asText()).isEqualTo(Flow.SCN);
        assertThat(won.body().at("/workOrder/path").asText()).isEqualTo(flow.path + "/p=0000/e=1/");
        // A lost reply: the same token again.
        Api.Answer again = flow.claim(0, token).ok();
        assertThat(again.truth("claimed")).isTrue();
        assertThat(again.body().path("attempt").asInt()).isEqualTo(1);
        Api.Answer lost = flow.claim(0, UUID.randomUUID()).ok();
        assertThat(lost.truth("claimed")).isFalse();
        assertThat(lost.text("runStatus")).isEqualTo("EXTRACTING");
        assertThat(lost.body().get("workOrder").isNull()).isTrue();
        assertThat(house.ask("select token_digest from weir.outside_partition where run_id = '"
                        + flow.run + "' and epoch = 1"))
                .hasSize(64)
                .doesNotContain(token.toString());
    }

    @Test
    void whatCannotBeClaimedIsToldApart() {
        Flow flow = flow(3);
        flow.claim(7, token).refused(404, "PARTITION_NOT_FOUND");
        String body = House.json("claimToken", token, "workerNode", "n");
        api.post("/v1/runs/" + flow.run + "/partitions/00000/claim", body)
                .refused(422, "REQUEST_INVALID");
        api.post("/v1/runs/" + flow.run + "/partitions/..%2f0000/claim", body).status();
        flow.read(0, 3);
        assertThat(flow.claim(0, UUID.randomUUID()).ok().truth("claimed")).isFalse();
    }

    @Test
    void theLastChunkCompletesPartitionAndRunOnce() {
        Flow flow = flow(5, 4, 0);
        flow.claim(0, token).ok();
        Api.Answer first = flow.report(0, token, 0, 2, 2).ok();
        assertThat(first.text("partitionStatus")).isEqualTo("RUNNING");
        assertThat(first.body().path("receivedChunks").asInt()).isEqualTo(1);
        assertThat(first.truth("recorded")).isTrue();

        Api.Answer second = flow.report(0, token, 1, 2, 3).ok();
        assertThat(second.text("partitionStatus")).isEqualTo("SUCCESS");
        assertThat(second.truth("validationScheduled")).isFalse();
        Api.Answer last = flow.read(1, 4);
        assertThat(last.text("runStatus")).isEqualTo("EXTRACTED_VALIDATED");
        assertThat(last.truth("validationScheduled")).isTrue();
        assertThat(flow.detail().body().path("extractedCount").asLong()).isEqualTo(9);
        // The same chunk after the end: the same words, no second dispatch.
        Api.Answer again = flow.report(0, token, 1, 2, 3).ok();
        assertThat(again.text("partitionStatus")).isEqualTo("SUCCESS");
        assertThat(again.truth("validationScheduled")).isFalse();
        assertThat(flow.detail().body().get("dispatches")).hasSize(1);
    }

    @Test
    void oneChunkTwiceCountsOnceAndAnotherContentIsAConflict() {
        Flow flow = flow(5);
        flow.claim(0, token).ok();
        String first = flow.report(0, token, 0, 2, 2).ok().body().toString();
        assertThat(flow.report(0, token, 0, 2, 2).ok().body().toString()).isEqualTo(first);
        flow.report(0, token, 0, 2, 3).refused(409, "CHUNK_CONFLICT");
        flow.report(0, token, 0, 3, 2).refused(409, "CHUNK_CONFLICT");
        flow.report(0, token, 1, 2, 3).ok();
        assertThat(flow.state()).isEqualTo("EXTRACTED_VALIDATED");
        flow.report(0, token, 1, 2, 4).refused(409, "CHUNK_CONFLICT");
        flow.report(0, token, 2, 3, 0).refused(409, "CHUNK_CONFLICT");
    }

    @Test
    void onlyTheOwnerReports() {
        Flow flow = flow(5);
        flow.report(0, token, 0, 1, 5).refused(409, "CLAIM_MISMATCH");
        flow.claim(0, token).ok();
        Api.Answer other = flow.report(0, UUID.randomUUID(), 0, 1, 5);
        other.refused(409, "CLAIM_MISMATCH");
        ObjectNode older = flow.chunk(0, token, 0, 1, 5).put("epoch", 0);
        flow.report(0, older).refused(409, "CLAIM_MISMATCH");
        flow.report(0, flow.chunk(0, token, 0, 1, 5).put("epoch", 1)).ok();
    }

    @Test
    void otherRowsThanTheSourceCountedFailTheRun() {
        Flow flow = flow(5, 4);
        flow.claim(0, token).ok();
        Api.Answer answer = flow.report(0, token, 0, 1, 6).ok();

        assertThat(answer.text("partitionStatus")).isEqualTo("FAILED");
        assertThat(answer.text("runStatus")).isEqualTo("FAILED_EXTRACT");
        Api.Answer detail = flow.detail();
        assertThat(detail.text("errorStage")).isEqualTo("PARTITION_GATE");
        assertThat(detail.text("errorCode")).isEqualTo("ROW_COUNT_MISMATCH");
        assertThat(detail.body().get("dispatches")).isEmpty();
        assertThat(flow.claim(1, UUID.randomUUID()).ok().truth("claimed")).isFalse();
    }

    @Test
    void chunksThatDisagreeOnTheirNumberFailThePartition() {
        Flow flow = flow(5);
        flow.claim(0, token).ok();
        flow.report(0, token, 0, 3, 2).ok();
        Api.Answer answer = flow.report(0, token, 1, 2, 3).ok();
        assertThat(answer.text("partitionStatus")).isEqualTo("FAILED");
        assertThat(answer.text("runStatus")).isEqualTo("FAILED_EXTRACT");
    }

    @Test
    void reportsAfterTheEndAreKeptAndJudgeNothing() {
        Flow flow = flow(5, 4);
        flow.claim(0, token).ok();
        UUID other = UUID.randomUUID();
        flow.claim(1, other).ok();
        flow.report(0, token, 0, 1, 6).ok();

        Api.Answer late = flow.report(1, other, 0, 1, 4).ok();
        assertThat(late.truth("recorded")).isTrue();
        assertThat(late.text("runStatus")).isEqualTo("FAILED_EXTRACT");
        assertThat(late.truth("validationScheduled")).isFalse();
        assertThat(house.ask("select state from weir.outside_chunk where run_id = '" + flow.run
                        + "' and partition_id = '0001'"))
                .isEqualTo("LATE");
    }

    @ParameterizedTest
    @CsvSource({
        "ORA-01555,SQL,FAILED_SNAPSHOT_EXPIRED",
        "ora-08180,SQL,FAILED_SNAPSHOT_EXPIRED",
        "X,SNAPSHOT,FAILED_SNAPSHOT_EXPIRED",
        "ORA-00942,SQL,FAILED_EXTRACT"
    })
    void aFailureEndsTheRunByItsCode(String code, String errorClass, String state) {
        Flow flow = flow(5, 4);
        flow.claim(0, token).ok();
        String body = House.json(
                "claimToken",
                token,
                "errorStage",
                "EXTRACT",
                "errorClass",
                errorClass,
                "errorCode",
                code,
                "message",
                "query failed");

        Api.Answer answer = api.post(flow.at(0) + "/fail", body).ok();
        assertThat(answer.text("partitionStatus")).isEqualTo("FAILED");
        assertThat(answer.text("runStatus")).isEqualTo(state);
        assertThat(answer.truth("changed")).isTrue();
        assertThat(api.post(flow.at(0) + "/fail", body).ok().truth("changed")).isFalse();
        assertThat(flow.detail().body().path("failedPartitionCount").asInt()).isEqualTo(1);
        api.post(
                        flow.at(0) + "/fail",
                        body.replace(token.toString(), UUID.randomUUID().toString()))
                .refused(409, "CLAIM_MISMATCH");
    }

    @Test
    void whatIsNotBeingReadCannotFail() {
        Flow flow = flow(5);
        flow.claim(0, token).ok();
        flow.report(0, token, 0, 1, 5).ok();
        api.post(
                        flow.at(0) + "/fail",
                        House.json(
                                "claimToken",
                                token,
                                "errorStage",
                                "E",
                                "errorClass",
                                "C",
                                "errorCode",
                                "X"))
                .refused(409, "PARTITION_STATUS_MISMATCH");
    }

    @Test
    void filesLieInTheirRun() {
        Flow flow = flow(5);
        Flow other = flow(5);
        flow.claim(0, token).ok();
        for (String path : List.of(
                other.path + "/x",
                flow.path,
                flow.path + "/",
                flow.path + "x/y",
                flow.path + "/../x",
                flow.path + "/a/../../x",
                flow.path + "/./x",
                flow.path + "//x")) {
            ObjectNode chunk = flow.chunk(0, token, 0, 1, 5).put("hdfsPath", path);
            Api.Answer answer = flow.report(0, chunk);
            answer.refused(422, "HDFS_PATH_OUTSIDE_RUN");
        }
        for (String name : List.of("../x", "a/b", "..", "a\\b", "%2e%2e")) {
            ObjectNode chunk = flow.chunk(0, token, 0, 1, 5).put("fileName", name);
            chunk.remove("hdfsPath");
            flow.report(0, chunk).refused(422, "HDFS_PATH_OUTSIDE_RUN");
        }
        flow.report(0, token, 1, 1, 5).refused(422, "CHUNK_INDEX_OUT_OF_RANGE");
        flow.report(0, flow.chunk(0, token, 0, 1, 5).put("fileName", "x"))
                .refused(422, "REQUEST_INVALID");
        flow.report(0, flow.chunk(0, token, 0, 0, 5)).refused(422, "REQUEST_INVALID");
        flow.report(0, flow.chunk(0, token, 0, 1, -5)).refused(422, "REQUEST_INVALID");
    }

    @Test
    void aNamedFileLiesWhereItsClaimSays() {
        Flow flow = flow(5);
        flow.claim(0, token).ok();
        ObjectNode chunk = flow.chunk(0, token, 0, 1, 5).put("fileName", "a.parquet");
        chunk.remove("hdfsPath");
        flow.report(0, chunk.put("epoch", 1)).ok();
        assertThat(house.ask(
                        "select path from weir.outside_chunk where run_id = '" + flow.run + "'"))
                .isEqualTo(flow.path + "/p=0000/e=1/a.parquet");
    }

    @Test
    void oneFileBacksOneChunk() {
        Flow flow = flow(5, 5);
        flow.claim(0, token).ok();
        ObjectNode first = flow.chunk(0, token, 0, 2, 2);
        flow.report(0, first).ok();
        ObjectNode second = flow.chunk(0, token, 1, 2, 3);
        second.set("hdfsPath", first.get("hdfsPath"));
        flow.report(0, second).refused(409, "UNIQUE_VIOLATION");
        assertThat(flow.state()).isEqualTo("EXTRACTING");
    }

    @Test
    void chunksAreReportedAtOnce() {
        Flow flow = flow(5);
        flow.claim(0, token).ok();
        ObjectNode batch = Json.object();
        batch.putArray("chunks")
                .add(flow.chunk(0, token, 0, 2, 2))
                .add(flow.chunk(0, token, 1, 2, 3));
        Api.Answer answer =
                api.post(flow.at(0) + "/chunks:batch", Json.line(batch)).ok();
        assertThat(answer.text("runStatus")).isEqualTo("EXTRACTED_VALIDATED");
        assertThat(answer.truth("validationScheduled")).isTrue();
    }

    @Test
    void aSignOfLifeProlongsAClaim() {
        Flow flow = flow(5);
        api.post(
                        flow.at(0) + "/claim",
                        House.json("claimToken", token, "workerNode", "n", "leaseSeconds", "30"))
                .ok();
        Api.Answer alive = api.post(
                        flow.at(0) + "/heartbeat", House.json("claimToken", token, "epoch", "1"))
                .ok();
        assertThat(alive.text("partitionStatus")).isEqualTo("RUNNING");
        api.post(flow.at(0) + "/heartbeat", House.json("claimToken", UUID.randomUUID()))
                .refused(409, "CLAIM_MISMATCH");
        flow.report(0, token, 0, 1, 5).ok();
        api.post(flow.at(0) + "/heartbeat", House.json("claimToken", token))
                .refused(409, "PARTITION_STATUS_MISMATCH");
    }

    @RepeatedTest(3)
    void manyClaimsAtOnceHaveOneOwner() {
        Flow flow = flow(5);
        List<Boolean> won =
                atOnce(12, () -> flow.claim(0, UUID.randomUUID()).ok().truth("claimed"));
        assertThat(won).containsOnlyOnce(true);
    }

    /** Eight partitions whose last chunks arrive at the same moment. */
    @RepeatedTest(3)
    void theRunIsCompletedOnceHoweverManyReportsMeet() {
        Flow flow = flow(1, 1, 1, 1, 1, 1, 1, 1);
        for (int i = 0; i < 8; i++) {
            flow.claim(i, token).ok();
        }
        AtomicInteger next = new AtomicInteger();
        List<Boolean> scheduled = atOnce(8, () -> {
            int i = next.getAndIncrement();
            return flow.report(i, token, 0, 1, 1).ok().truth("validationScheduled");
        });
        assertThat(scheduled).containsOnlyOnce(true);
        assertThat(flow.state()).isEqualTo("EXTRACTED_VALIDATED");
        assertThat(flow.detail().body().get("dispatches")).hasSize(1);
    }

    /** One partition fails while the other completes: the run is judged once, whoever is first. */
    @RepeatedTest(5)
    void failureAndCompletionMeet() {
        Flow flow = flow(1, 1);
        flow.claim(0, token).ok();
        flow.claim(1, token).ok();
        AtomicInteger next = new AtomicInteger();
        atOnce(2, () -> {
            int i = next.getAndIncrement();
            return flow.report(i, token, 0, 1, 1 + i).ok().status();
        });
        assertThat(flow.state()).isEqualTo("FAILED_EXTRACT");
        assertThat(flow.detail().body().get("dispatches")).isEmpty();
    }
}
