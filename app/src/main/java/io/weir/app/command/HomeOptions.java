package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.config.JobFile;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** Where the embedded house lives; an option of every command. */
final class HomeOptions {
    @Option(
            names = "--home",
            defaultValue = ".weir",
            paramLabel = "DIR",
            description = "Where the embedded house lives (default: ${DEFAULT-VALUE}).")
    private Path home = Path.of(".weir");

    Path home() {
        return home;
    }

    Composition compose(JobFile jobs) {
        return Composition.of(home, jobs);
    }
}
