package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.config.JobFile;
import io.weir.app.config.JobFileReader;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Options of every command that opens the ledger. */
final class HomeOptions {
    @Option(
            names = "--home",
            defaultValue = ".weir",
            paramLabel = "DIR",
            description = "Where the embedded house lives (default: ${DEFAULT-VALUE}).")
    private Path home = Path.of(".weir");

    @Option(
            names = {"-f", "--file"},
            paramLabel = "JOB.YAML",
            description = "Use the ledger and lake of this job file (default: the embedded ones).")
    private @Nullable Path file;

    Path home() {
        return home;
    }

    /** For commands that may do without a job file. */
    Composition compose() {
        return Composition.of(home, file == null ? null : JobFileReader.read(file));
    }

    /** For commands that have read one. */
    Composition compose(JobFile jobs) {
        return Composition.of(home, jobs);
    }
}
