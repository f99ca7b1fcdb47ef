package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Event;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.RunId;
import io.weir.ledger.event.EventFold;
import io.weir.ledger.fsck.Replay;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.access.Role;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/** The events of an outside run, folded in order, are its row and those of its partitions. */
class OutsideReplayTest extends ApiTest {
    /** Reports change them without an event while a partition is read; its chunks say them. */
    private static final List<String> PROGRESS = List.of("version", "rows", "bytes", "chunk_count");

    @Test
    void aRunToItsEnd() {
        Flow flow = new Flow(api);
        flow.register(3, 0, 2).ok();
        replays(flow);
        UUID token = UUID.randomUUID();
        flow.claim(0, token).ok();
        replays(flow);
        flow.report(0, token, 0, 3, 1).ok();
        flow.report(0, token, 1, 3, 1).ok();
        replays(flow);
        assertThat(house.ask("select rows || ' ' || bytes || ' ' || chunk_count"
                        + " from weir.outside_partition where id = '0000' and run_id = '"
                        + flow.run + "'"))
                .isEqualTo(house.ask("select sum(rows) || ' ' || sum(bytes) || ' ' || count(*)"
                        + " from weir.outside_chunk where run_id = '" + flow.run + "'"));
        flow.report(0, token, 2, 3, 1).ok();
        flow.read(2, 2);
        replays(flow);
        flow.start(flow.dispatch("VALIDATE_RUN")).ok();
        flow.metric("STAGING", "STAGE_COUNT", "5", "5", "PASS").ok();
        flow.call("stage-validated", Json.object()).ok();
        UUID publisher = UUID.randomUUID();
        flow.claimPublish(publisher).ok();
        flow.result(publisher, "PUBLISHED").ok();
        flow.metric("TARGET", "STAGE_COUNT", "5", "5", "PASS").ok();
        flow.succeed().ok();
        assertThat(flow.state()).isEqualTo("SUCCESS");
        replays(flow);
    }

    @Test
    void runsThatEndEarly() {
        Flow cancelled = new Flow(api);
        cancelled.register(3, 2).ok();
        UUID token = UUID.randomUUID();
        cancelled.claim(0, token).ok();
        cancelled.report(0, token, 0, 2, 1).ok();
        house.api(server, Role.OPERATOR)
                .post("/v1/runs/" + cancelled.run + "/cancel", House.json("reason", "wrong day"))
                .ok();
        replays(cancelled);

        Flow broken = new Flow(api);
        broken.register(3, 2).ok();
        broken.claim(0, token).ok();
        broken.report(0, token, 0, 1, 2).ok();
        assertThat(broken.state()).isEqualTo("FAILED_EXTRACT");
        replays(broken);

        Flow rejected = new Flow(api);
        rejected.register(Flow.manifest(3).put("plannedPartitionCount", 7))
                .refused(422, "MANIFEST_INVALID");
        replays(rejected);
    }

    @Test
    void aPartitionThatIsGivenToSomebodyElse() {
        OutsideLedger reissuing = house.outside(OutsideSettings.DEFAULTS
                .withGrace(Duration.ZERO)
                .withRecovery(RecoveryMode.REISSUE));
        Flow flow = new Flow(api);
        flow.register(3).ok();
        UUID lost = UUID.randomUUID();
        flow.claim(0, lost).ok();
        flow.report(0, lost, 0, 2, 1).ok();
        house.update("update weir.outside_partition set lease_until = lease_until"
                + " - interval '2 days' where run_id = '" + flow.run + "'");
        assertThat(reissuing.sweep()).contains("reissue_partition");
        replays(flow);
        flow.read(0, 3);
        replays(flow);
    }

    private void replays(Flow flow) {
        Map<String, ObjectNode> folded = new TreeMap<>(EventFold.fold(events(flow.run)));
        folded.keySet()
                .retainAll(folded.keySet().stream()
                        .filter(name -> name.equals("run") || name.startsWith("partition/"))
                        .toList());
        Map<String, ObjectNode> stored = stored(flow.run);
        stored.forEach((name, row) -> {
            if (row.path("state").asText().equals("RUNNING")) {
                row.remove(PROGRESS);
                Objects.requireNonNull(folded.get(name), name).remove(PROGRESS);
            }
        });
        assertThat(Replay.differences(folded, stored)).isEmpty();
        assertThat(stored).hasSameSizeAs(folded);
    }

    private List<Event> events(String run) {
        RunId id = RunId.parse(run);
        return house.outside(OutsideSettings.DEFAULTS).events(id, 1_000).stream()
                .map(event -> new Event(
                        event.sequence(),
                        event.at(),
                        event.runId(),
                        event.partitionId(),
                        event.name(),
                        Json.parse(event.details())))
                .toList();
    }

    private Map<String, ObjectNode> stored(String run) {
        ObjectNode all = (ObjectNode) Json.parse(house.ask(
                "select json_object_agg(name, row) from (select 'run' as name, to_jsonb(r) as row"
                        + " from weir.outside_run r where id = '" + run + "' union all"
                        + " select 'partition/' || id, to_jsonb(p) from weir.outside_partition p"
                        + " where run_id = '" + run + "') as named"));
        Map<String, ObjectNode> rows = new TreeMap<>();
        all.properties().forEach(row -> rows.put(row.getKey(), (ObjectNode) row.getValue()));
        return rows;
    }
}
