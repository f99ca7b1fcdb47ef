package io.weir.app.console;

import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.flow.load.PartitionProgress;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** A block of lines that is drawn over itself: one line for each partition being read. */
final class LiveProgress implements ProgressPrinter {
    private static final String ESCAPE = "\u001b[";
    private static final int PARTITIONS_SHOWN = 12;
    private static final int BAR = 20;

    private final PrintWriter out;
    private final Speedometer speed;
    private String job = "";
    private int drawn;

    LiveProgress(PrintWriter out, LongSupplier nanos) {
        this.out = out;
        this.speed = new Speedometer(nanos);
    }

    @Override
    public void planned(Run run, List<PartitionProgress> partitions) {
        job = run.job();
        drawn = 0;
        speed.reset();
        line(Steps.planned(run, partitions.size()));
    }

    @Override
    public void progressed(RunId runId, List<PartitionProgress> partitions) {
        speed.see(partitions);
        List<String> lines = new ArrayList<>();
        for (PartitionProgress partition : partitions) {
            boolean reading = partition.phase() == PartitionProgress.Phase.READING;
            if (reading && lines.size() < PARTITIONS_SHOWN) {
                lines.add("  " + partition.id() + " " + bar(partition) + " " + speed.of(partition));
            }
        }
        long done = partitions.stream()
                .filter(p -> p.phase() == PartitionProgress.Phase.DONE)
                .count();
        lines.add("  " + done + "/" + partitions.size() + " done  " + speed.of(partitions));
        draw(lines);
    }

    private static String bar(PartitionProgress partition) {
        double share = partition.estimatedBytes() <= 0
                ? 0
                : Math.min(1, (double) partition.bytes() / partition.estimatedBytes());
        int filled = (int) (share * BAR);
        return "█".repeat(filled) + "░".repeat(BAR - filled);
    }

    private void draw(List<String> lines) {
        if (drawn > 0) {
            out.print(ESCAPE + drawn + "A" + ESCAPE + "J");
        }
        lines.forEach(out::println);
        out.flush();
        drawn = lines.size();
    }

    @Override
    public void extracted(Run run) {
        drawn = 0;
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
        drawn = 0;
        line(Steps.ended(run));
    }

    private void line(String text) {
        out.println(job + ": " + text);
        out.flush();
    }
}
