package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.UUID;
import java.util.function.Consumer;

/** Registering what a run has to read, and every way in which a split plan can be wrong. */
class ManifestApiTest extends ApiTest {
    @Test
    void aManifestRegistersItsPartitions() {
        Flow flow = new Flow(api);

        Api.Answer reply = flow.register(15000, 0, 15000).ok();

        assertThat(reply.text("status")).isEqualTo("EXTRACTING");
        assertThat(reply.body().path("emptyPartitionCount").asInt()).isEqualTo(1);
        assertThat(reply.truth("validationScheduled")).isFalse();
        var parts = reply.body().get("dispatchPartitions");
        assertThat(parts.findValuesAsText("partitionId")).containsExactly("0000", "0002");
        assertThat(parts.get(1).path("lowerBound").isTextual()).isTrue();
        assertThat(parts.get(1).path("upperBound").asText()).isEqualTo("30");
        assertThat(parts.get(1).path("upperInclusive").asBoolean()).isTrue();
        assertThat(flow.detail().text("snapshotScn")).isEqualTo(Flow.SCN);
        assertThat(flow.detail().body().at("/partitionCounts/SUCCESS").asInt()).isEqualTo(1);
    }

    @Test
    void theSameManifestAgainHasTheSameAnswerAndAnotherOneNone() {
        Flow flow = new Flow(api);
        String first = flow.register(3, 4).ok().body().toString();

        assertThat(flow.register(3, 4).ok().body().toString()).isEqualTo(first);
        flow.register(4, 3).refused(409, "RUN_STATUS_MISMATCH");
        // Other bounds, another snapshot: the older design took these for the same.
        flow.register(Flow.manifest(3, 4).put("snapshotScn", "1"))
                .refused(409, "RUN_STATUS_MISMATCH");
        flow.read(0, 3);
        assertThat(flow.register(3, 4).ok().body().get("dispatchPartitions")).hasSize(2);
    }

    @Test
    void boundsOf38DigitsAndNumbersInsteadOfTextsAreKept() {
        String big = "9".repeat(38);
        ObjectNode manifest = Flow.manifest(5);
        manifest.put("sourceMaxSplit", big);
        ((ObjectNode) manifest.at("/partitions/0")).put("upperBound", big).put("lowerBound", 0);
        Flow flow = new Flow(api);

        Api.Answer reply = flow.register(manifest).ok();
        assertThat(reply.body().at("/dispatchPartitions/0/upperBound").asText()).isEqualTo(big);
        assertThat(flow.claim(0, UUID.randomUUID())
                        .ok()
                        .body()
                        .at("/workOrder/upperBound")
                        .asText())
                .isEqualTo(big);

        manifest.put("snapshotScn", "1" + big);
        new Flow(api).register(manifest).refused(422, "REQUEST_INVALID");
        manifest.put("snapshotScn", "1e5");
        new Flow(api).register(manifest).refused(422, "REQUEST_INVALID");
        manifest.put("snapshotScn", 1.5);
        new Flow(api).register(manifest).refused(422, "REQUEST_INVALID");
    }

    @Test
    void aNullPartitionHoldsTheRowsWithoutKey() {
        ObjectNode manifest = Flow.manifest(3);
        manifest.withArray("partitions")
                .addObject()
                .put("partitionId", "NULL")
                .put("isNullPartition", true)
                .put("expectedRowCount", 2);
        manifest.put("plannedPartitionCount", 2).put("sourceCount", 5);
        manifest.put("sourceNullSplitCount", 2);
        Flow flow = new Flow(api);
        assertThat(flow.register(manifest).ok().body().get("dispatchPartitions"))
                .hasSize(2);
        api.post(
                        "/v1/runs/" + flow.run + "/partitions/NULL/claim",
                        House.json("claimToken", UUID.randomUUID(), "workerNode", "n"))
                .ok();
    }

    @Test
    void anEmptySourceIsBlockedUnlessItIsAllowed() {
        Flow blocked = new Flow(api);
        violates(blocked, Flow.manifest(0), "EMPTY_SOURCE_BLOCKED");
        assertThat(blocked.state()).isEqualTo("FAILED_MANIFEST");
        // The same wrong one again is told the same.
        blocked.register(Flow.manifest(0)).refused(422, "MANIFEST_INVALID");

        var body = (ObjectNode) Json.parse(Flow.create("EMPTY", "d"));
        String run = api.post("/v1/runs", Json.line(body.put("allowEmptySource", "true")))
                .ok()
                .text("runId");
        Api.Answer reply = api.post("/v1/runs/" + run + "/manifest", Json.line(Flow.manifest(0, 0)))
                .ok();
        assertThat(reply.text("status")).isEqualTo("EXTRACTED_VALIDATED");
        assertThat(reply.truth("validationScheduled")).isTrue();
        assertThat(reply.body().get("dispatchPartitions")).isEmpty();
    }

    private static void violates(Flow flow, ObjectNode manifest, String violation) {
        Api.Answer answer = flow.register(manifest).refused(422, "MANIFEST_INVALID");
        assertThat(answer.body().at("/details/violations").toString()).contains(violation);
        assertThat(flow.detail().text("errorMessage")).contains(violation);
    }

    private void violates(String violation, Consumer<ObjectNode> change) {
        ObjectNode manifest = Flow.manifest(3, 4);
        change.accept(manifest);
        violates(new Flow(api), manifest, violation);
    }

    private static ObjectNode part(ObjectNode manifest, int index) {
        return (ObjectNode) manifest.at("/partitions/" + index);
    }

    @Test
    void everyInvariantOfTheManifestHasItsToken() {
        violates("DUPLICATE_PARTITION_ID", m -> part(m, 1).put("partitionId", "0000"));
        violates("PARTITION_COUNT_MISMATCH", m -> m.put("plannedPartitionCount", 3));
        violates("EXPECTED_SUM_MISMATCH", m -> m.put("sourceCount", 8));
        violates("NULL_ROWS_WITHOUT_NULL_PARTITION", m -> m.put("sourceNullSplitCount", 1));
        violates("INVALID_BOUNDS", m -> part(m, 0).putNull("lowerBound"));
        violates("INVALID_BOUNDS", m -> part(m, 0).put("lowerBound", "11"));
        violates("INVALID_BOUNDS", m -> part(m, 0).put("partitionId", "NULL"));
        violates("UPPER_INCLUSIVE_INVALID", m -> part(m, 0).put("upperInclusive", true));
        violates("UPPER_INCLUSIVE_INVALID", m -> part(m, 1).put("upperInclusive", false));
        violates("RANGE_GAP_OR_OVERLAP", m -> part(m, 1).put("lowerBound", "11"));
        violates("MIN_SPLIT_MISMATCH", m -> m.put("sourceMinSplit", "1"));
        violates("MAX_SPLIT_MISMATCH", m -> m.put("sourceMaxSplit", "21"));
        Consumer<ObjectNode> isNull =
                m -> part(m, 1).put("isNullPartition", true).put("upperInclusive", false);
        violates("INVALID_NULL_PARTITION", isNull);
        violates("NULL_COUNT_MISMATCH", isNull);
        violates(
                "MULTIPLE_NULL_PARTITIONS",
                isNull.andThen(m -> part(m, 0).put("isNullPartition", true)));
    }

    /** All of them are told at once. */
    @Test
    void violationsAreCollected() {
        Flow flow = new Flow(api);
        ObjectNode manifest = Flow.manifest(3, 4).put("sourceCount", 8);
        part(manifest, 1).put("lowerBound", "11");
        Api.Answer answer = flow.register(manifest).refused(422, "MANIFEST_INVALID");
        assertThat(answer.body().at("/details/violations")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "/sourceCount,-1",
        "/sourceCount,many",
        "/sourceCount,9223372036854775808",
        "/plannedPartitionCount,0",
        "/plannedPartitionCount,10001",
        "/partitions/0/expectedRowCount,-1",
        "/partitions/0/partitionId,00000",
        "/partitions/0/partitionId,../1",
    })
    void aFieldThatCannotBeUsedIsNamed(String pointer, String value) {
        Flow flow = new Flow(api);
        ObjectNode manifest = Flow.manifest(3);
        int slash = pointer.lastIndexOf('/');
        ObjectNode parent = slash == 0 ? manifest : part(manifest, 0);
        parent.put(pointer.substring(slash + 1), value);

        Api.Answer answer = flow.register(manifest).refused(422, "REQUEST_INVALID");

        assertThat(answer.body().at("/details/fields/0").asText()).startsWith(pointer + ":");
        assertThat(flow.state()).isEqualTo("CREATED");
    }
}
