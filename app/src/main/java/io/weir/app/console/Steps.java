package io.weir.app.console;

import io.weir.core.run.Run;

/** The steps of a load in words; a terminal and a pipe say the same. */
final class Steps {
    static final String AUDITED = "audit passed: staged rows equal the rows that were read";

    private Steps() {}

    static String planned(Run run, int partitions) {
        return "run "
                + run.id()
                + " reads "
                + (run.sourceCount() == null ? "?" : Texts.count(run.sourceCount()))
                + " rows of "
                + run.sourceTable()
                + " in "
                + partitions
                + (partitions == 1 ? " partition" : " partitions");
    }

    static String extracted(Run run) {
        return "extracted " + Texts.count(run.extracted().rows())
                + " rows, every partition arrived";
    }

    static String staged(Run run, int files) {
        return "staged " + files + (files == 1 ? " file" : " files") + " for " + run.target();
    }

    static String published(Run run) {
        return "published to " + run.target() + " as snapshot " + run.publishedSnapshotId();
    }

    static String ended(Run run) {
        return run.failure() == null
                ? run.state().toString()
                : run.state() + ": " + run.failure().message();
    }
}
