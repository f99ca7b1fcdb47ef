package io.weir.app.console;

import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.flow.load.PartitionProgress;

import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Plain lines for pipes and logs: each partition once when it is done, all together now and then.
 */
final class LineProgress implements ProgressPrinter {
    private static final long EVERY_NANOS = 2_000_000_000L;

    private final PrintWriter out;
    private final LongSupplier nanos;
    private final Speedometer speed;
    private final Set<String> done = new HashSet<>();
    private String job = "";
    private long lastNanos;

    LineProgress(PrintWriter out, LongSupplier nanos) {
        this.out = out;
        this.nanos = nanos;
        this.speed = new Speedometer(nanos);
    }

    @Override
    public void planned(Run run, List<PartitionProgress> partitions) {
        job = run.job();
        done.clear();
        speed.reset();
        lastNanos = nanos.getAsLong();
        line(Steps.planned(run, partitions.size()));
    }

    @Override
    public void progressed(RunId runId, List<PartitionProgress> partitions) {
        speed.see(partitions);
        for (PartitionProgress partition : partitions) {
            boolean finished = partition.phase() == PartitionProgress.Phase.DONE;
            if (finished && done.add(partition.id().value())) {
                line("partition " + partition.id() + " done  " + speed.of(partition));
            }
        }
        if (nanos.getAsLong() - lastNanos >= EVERY_NANOS) {
            lastNanos = nanos.getAsLong();
            for (PartitionProgress partition : partitions) {
                if (partition.phase() == PartitionProgress.Phase.READING) {
                    line("partition " + partition.id() + "  " + speed.of(partition));
                }
            }
            line("all partitions  " + speed.of(partitions));
        }
    }

    @Override
    public void extracted(Run run) {
        line(Steps.extracted(run));
    }

    @Override
    public void staged(Run run, List<String> paths) {
        line(Steps.staged(run, paths.size()));
    }

    @Override
    public void audited(Run run) {
        line(Steps.AUDITED);
    }

    @Override
    public void published(Run run) {
        line(Steps.published(run));
    }

    @Override
    public void ended(Run run) {
        line(Steps.ended(run));
    }

    private void line(String text) {
        out.println(job + ": " + text);
        out.flush();
    }
}
