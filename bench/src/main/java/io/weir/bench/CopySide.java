package io.weir.bench;

import io.weir.source.SourceConfig;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** {@code psql} copies a table to nowhere: what no reader of the source can go below. */
final class CopySide {
    private final Path psql;
    private final SourceConfig database;
    private final File log;

    CopySide(SourceConfig database, Path directory) {
        this.psql = Programs.find("psql", "postgresql-client");
        this.database = database;
        this.log = directory.resolve("psql.log").toFile();
    }

    void copy(String table) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        psql.toString(),
                        "--no-psqlrc",
                        "--quiet",
                        "--command=copy public." + table + " to stdout (format binary)",
                        database.url().substring("jdbc:".length()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(log);
        builder.environment()
                .putAll(Map.of("PGUSER", database.user(), "PGPASSWORD", database.password()));
        int code = builder.start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("Cannot copy " + table + " by psql: "
                    + Files.readString(log.toPath()) + " (exit=" + code + ")");
        }
    }
}
