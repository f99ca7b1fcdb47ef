package io.weir.app.command;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ingest.record.ExtraColumns;
import io.weir.ingest.record.MissingColumns;
import io.weir.ingest.record.RecordWriter;
import io.weir.ingest.record.StrictDelimitedInputWriter;
import io.weir.ingest.record.StrictJsonWriter;
import io.weir.ingest.record.StrictRegexWriter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

/** What the records of {@code weir ingest} look like. */
final class RecordOptions {
    /** The three formats. */
    enum Format {
        CSV,
        JSON,
        REGEX
    }

    @Option(
            names = "--format",
            defaultValue = "csv",
            description = "csv, json (one object a line) or regex (default: ${DEFAULT-VALUE}).")
    private Format format = Format.CSV;

    @Option(
            names = "--delimiter",
            defaultValue = ",",
            paramLabel = "CHAR",
            description = "Between fields of csv (default: ${DEFAULT-VALUE}).")
    private char delimiter = ',';

    @Option(
            names = "--null-text",
            defaultValue = "\\N",
            paramLabel = "TEXT",
            description = "The text of NULL in csv, unquoted (default: ${DEFAULT-VALUE}).")
    private String nullText = "\\N";

    @Option(names = "--regex", paramLabel = "REGEX", description = "One group for each column.")
    private @Nullable String regex;

    @Option(
            names = "--missing",
            defaultValue = "reject",
            description = "Columns that a record does not have: reject or null"
                    + " (default: ${DEFAULT-VALUE}).")
    private MissingColumns missing = MissingColumns.REJECT;

    @Option(
            names = "--extra",
            defaultValue = "reject",
            description = "Columns that the table does not have: reject or drop"
                    + " (default: ${DEFAULT-VALUE}).")
    private ExtraColumns extra = ExtraColumns.REJECT;

    RecordWriter writer() {
        try {
            return switch (format) {
                case CSV ->
                    StrictDelimitedInputWriter.newBuilder()
                            .withFieldDelimiter(delimiter)
                            .withNullText(nullText)
                            .withMissingColumns(missing)
                            .withExtraColumns(extra)
                            .build();
                case JSON ->
                    StrictJsonWriter.newBuilder()
                            .withMissingColumns(missing)
                            .withExtraColumns(extra)
                            .build();
                case REGEX -> regex();
            };
        } catch (IllegalArgumentException e) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID, "Cannot read records: " + e.getMessage(), e);
        }
    }

    private RecordWriter regex() {
        StrictRegexWriter.Builder builder = StrictRegexWriter.newBuilder();
        return regex == null ? builder.build() : builder.withRegex(regex).build();
    }
}
