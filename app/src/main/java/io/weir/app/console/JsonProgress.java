package io.weir.app.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.flow.load.PartitionProgress;

import java.io.PrintWriter;
import java.util.List;

/** One JSON line for each step; the first field names it. */
final class JsonProgress implements ProgressPrinter {
    private final PrintWriter out;

    JsonProgress(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void planned(Run run, List<PartitionProgress> partitions) {
        print(step("planned", run).put("rows", run.sourceCount()), partitions);
    }

    @Override
    public void progressed(RunId runId, List<PartitionProgress> partitions) {
        print(Json.object().put("step", "progressed").put("run", runId.toString()), partitions);
    }

    @Override
    public void extracted(Run run) {
        print(step("extracted", run).put("rows", run.extracted().rows()));
    }

    @Override
    public void staged(Run run, List<String> paths) {
        print(step("staged", run).put("files", paths.size()));
    }

    @Override
    public void audited(Run run) {
        print(step("audited", run));
    }

    @Override
    public void published(Run run) {
        print(step("published", run).put("snapshot_id", run.publishedSnapshotId()));
    }

    @Override
    public void ended(Run run) {
        print(step("ended", run)
                .put("state", run.state().name())
                .put("failure", run.failure() == null ? null : run.failure().message()));
    }

    private static ObjectNode step(String step, Run run) {
        return Json.object()
                .put("step", step)
                .put("run", run.id().toString())
                .put("job", run.job());
    }

    private void print(ObjectNode json, List<PartitionProgress> partitions) {
        ArrayNode array = json.putArray("partitions");
        for (PartitionProgress partition : partitions) {
            array.addObject()
                    .put("partition", partition.id().value())
                    .put("phase", partition.phase().name())
                    .put("rows", partition.rows())
                    .put("bytes", partition.bytes())
                    .put("estimated_bytes", partition.estimatedBytes());
        }
        print(json);
    }

    private void print(ObjectNode json) {
        out.println(Json.line(json));
        out.flush();
    }
}
