package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.config.JobFile;
import io.weir.app.config.JobFileReader;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Options of commands that look into a ledger and need no job file. */
final class LedgerOptions {
    @Mixin
    private HomeOptions home = new HomeOptions();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "JOB.YAML",
            description = "Use the ledger and lake of this job file (default: the embedded ones).")
    private @Nullable Path file;

    Composition compose() {
        JobFile jobs = file == null ? null : JobFileReader.read(file);
        return Composition.of(home.home(), jobs);
    }
}
