package io.weir.app.demo;

import io.weir.app.console.ProgressPrinter;
import io.weir.app.console.ReplicatePrinter;
import io.weir.core.error.WeirException;
import io.weir.flow.load.LoadListener;
import io.weir.flow.replicate.ReplicateListener;
import io.weir.flow.replicate.TableResult;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.WindowFigures;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what windows merge; people see one line for each cut, programs every step. */
final class WindowWatch implements ReplicateListener {
    private final Story story;
    private final ReplicatePrinter printer;
    private final Map<String, Long> changes = new ConcurrentHashMap<>();
    private volatile @Nullable ReplicaCut cut;

    WindowWatch(Story story) {
        this.story = story;
        this.printer = new ReplicatePrinter(story.out(), story.isJson());
    }

    /** Changes that were merged into a table so far. */
    long changes(String table) {
        return changes.getOrDefault(table, 0L);
    }

    /** The same for all tables. */
    long changes() {
        return changes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The last one; null before the first. */
    @Nullable
    ReplicaCut cut() {
        return cut;
    }

    @Override
    public LoadListener loads() {
        return ProgressPrinter.of(story.out(), story.form());
    }

    @Override
    public void loaded(Replica replica) {
        printer.loaded(replica);
    }

    @Override
    public void merged(Replica replica, TableResult result) {
        ReplicaWindow window = result.window();
        WindowFigures figures = window == null ? null : window.figures();
        if (figures != null) {
            changes.merge(replica.table(), figures.events(), Long::sum);
        }
        if (story.isJson()) {
            printer.merged(replica, result);
        }
    }

    @Override
    public void failed(Replica replica) {
        printer.failed(replica);
    }

    @Override
    public void waiting(WeirException cause) {
        printer.waiting(cause);
    }

    @Override
    public void stopped(Replica replica) {
        printer.stopped(replica);
    }

    @Override
    public void cut(ReplicaCut closed) {
        cut = closed;
        if (story.isJson()) {
            printer.cut(closed);
        }
    }
}
