package io.weir.app.command;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.time.LocalDate;
import java.time.ZoneOffset;

/** What a run is for. */
final class BusinessKeyOptions {
    @Option(
            names = "--business-key",
            paramLabel = "KEY",
            description = "What the run is for, such as 2026-11-29 (default: today, UTC).")
    private @Nullable String businessKey;

    String key() {
        return businessKey == null ? LocalDate.now(ZoneOffset.UTC).toString() : businessKey;
    }
}
