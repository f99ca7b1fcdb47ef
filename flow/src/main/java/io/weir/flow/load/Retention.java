package io.weir.flow.load;

import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.Run;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;
import io.weir.table.LeftFiles;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes what ended runs left behind: audit branches, and files below the run's own path that no
 * snapshot of the table names. Never a row that a reader can see, and nothing of a run whose
 * publishing is not settled.
 */
public final class Retention {
    private static final int RUNS_MAX = 1_000;

    private final Ledger ledger;
    private final LakeCatalog catalog;

    public Retention(Ledger ledger, LakeCatalog catalog) {
        this.ledger = ledger;
        this.catalog = catalog;
    }

    /**
     * What was, or would be, removed for one run.
     *
     * @param bytes of the files
     */
    public record Cleaned(Run run, int branches, long files, long bytes) {}

    /**
     * Cleans up after every run that ended long enough ago.
     *
     * @param succeeded how long what a successful run left is kept
     * @param failed the same for all others
     * @param dryRun only says what would be removed
     */
    public List<Cleaned> clean(Duration succeeded, Duration failed, boolean dryRun) {
        List<Cleaned> cleaned = new ArrayList<>();
        for (Run run : ledger.cleanable(succeeded, failed, RUNS_MAX)) {
            cleaned.add(clean(ledger.detail(run.id()), dryRun));
        }
        return cleaned;
    }

    private Cleaned clean(RunDetail detail, boolean dryRun) {
        Run run = detail.run();
        int branches = 0;
        LeftFiles left;
        if (catalog.tables().contains(run.target())) {
            LakeTable table = catalog.load(run.target());
            for (PublishAttempt attempt : detail.attempts()) {
                if (table.hasBranch(attempt)) {
                    branches++;
                    if (!dryRun) {
                        table.discard(attempt);
                    }
                }
            }
            left = table.leftBelow(run.dataPath(), detail.attempts());
        } else {
            left = LeftFiles.all(run.dataPath());
        }
        if (!dryRun) {
            left.delete();
            ledger.recordCleaned(run.id());
        }
        return new Cleaned(run, branches, left.files(), left.bytes());
    }
}
