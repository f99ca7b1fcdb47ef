package io.weir.flow.merge;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.RowPositions;
import io.weir.engine.Engine;
import io.weir.engine.HashedMeasure;
import io.weir.engine.MergeFile;
import io.weir.table.LocalFileIO;
import io.weir.table.RemovedRows;
import io.weir.table.ReplicaTable;
import io.weir.table.StagedFile;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;

/**
 * Reads rows of a plan from their files, in a thread of its own: each that comes in, and some of
 * those that go out. These files are durable and nobody changes them, so this goes on while the
 * plan is staged. Closed when nothing reads any more.
 */
public final class ReadBack implements AutoCloseable {
    /** Of so many rows of a file, removed ones are read anew in one window. */
    private static final long PART_ROWS = 122_880;

    private final List<String> appended;
    private final @Nullable RemovedRows part;
    private final FutureTask<List<HashedMeasure>> reading;
    private final Thread thread;

    private ReadBack(
            Engine engine,
            ReplicaTable target,
            List<MergeFile> files,
            List<String> appended,
            @Nullable RemovedRows part) {
        this.appended = appended;
        this.part = part;
        List<MergeFile> all = new ArrayList<>(files);
        List<@Nullable RowPositions> rows = new ArrayList<>();
        files.forEach(file -> rows.add(null));
        if (part != null) {
            all.add(new MergeFile(
                    LocalFileIO.pathOf(part.path()), part.positions().size(), RowPositions.NONE));
            rows.add(part.positions());
        }
        this.reading = new FutureTask<>(
                () -> engine.measureHashed(all, rows, target.rows(), target.rowHash()));
        this.thread = new Thread(reading, "weir-read-back");
        thread.setDaemon(true);
    }

    /** Begins with the files that a plan wrote. */
    static ReadBack start(Engine engine, MergePlan plan) {
        List<StagedFile> files = plan.delta().appended();
        return start(
                engine,
                plan,
                files.stream()
                        .map(file -> new MergeFile(
                                LocalFileIO.pathOf(file.path()), file.rows(), RowPositions.NONE))
                        .toList(),
                files.stream().map(StagedFile::path).toList());
    }

    /**
     * The same with other files.
     *
     * @param appended where these files are, in their order
     */
    static ReadBack start(
            Engine engine, MergePlan plan, List<MergeFile> files, List<String> appended) {
        ReadBack begun = new ReadBack(engine, plan.order().target(), files, appended, part(plan));
        begun.thread.start();
        return begun;
    }

    /** Rows that go out and stand together in one file; null if there are none. */
    private static @Nullable RemovedRows part(MergePlan plan) {
        List<RemovedRows> removed = plan.delta().removed();
        if (removed.isEmpty() || plan.delta().emptied()) {
            return null;
        }
        long turn = plan.delta().to().place();
        RemovedRows file = removed.get((int) (turn % removed.size()));
        RowPositions all = file.positions();
        long chosen = all.get((int) (turn / removed.size() % all.size()));
        long from = chosen - chosen % PART_ROWS;
        long[] near = LongStream.range(0, all.size())
                .map(rank -> all.get((int) rank))
                .filter(position -> position >= from && position < from + PART_ROWS)
                .toArray();
        return new RemovedRows(file.path(), RowPositions.of(near));
    }

    /** Locations of the files whose rows come in. */
    List<String> appended() {
        return appended;
    }

    /** The rows that go out and are read; null if there are none. */
    @Nullable
    RemovedRows part() {
        return part;
    }

    /** What the rows hold that come in, as soon as they are read. */
    HashedMeasure comes() {
        return HashedMeasure.sum(await().subList(0, appended.size()));
    }

    /** The same of those that go out; only if there are any. */
    HashedMeasure goes() {
        return await().get(appended.size());
    }

    private List<HashedMeasure> await() {
        try {
            return reading.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(
                    ErrorCode.INTERRUPTED, "Cannot read rows back: the thread was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WeirException known) {
                throw known;
            }
            throw new WeirException(
                    ErrorCode.INTERNAL, "Cannot read rows back: " + e.getCause(), e);
        }
    }

    /** Waits until nothing reads any more: an engine must not be closed before. */
    @Override
    public void close() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
