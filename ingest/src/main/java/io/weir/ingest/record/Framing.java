package io.weir.ingest.record;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/**
 * How records follow each other in a stream.
 *
 * @param delimiter between the fields of a record; counts only where there are quotes
 * @param quote the character within which a line end is data; -1 for none
 * @param pattern of what stands between records, matched byte by byte; null for line ends: LF, CR
 *     LF or CR
 */
public record Framing(int delimiter, int quote, @Nullable Pattern pattern) {
    private static final Framing LINES = new Framing(-1, -1, null);

    /** Every line is a record. */
    public static Framing lines() {
        return LINES;
    }

    /** Every line is a record, except where a line end is within quotes. */
    public static Framing quotedLines(byte delimiter, byte quote) {
        return new Framing(delimiter, quote, null);
    }

    /**
     * What matches stands between records.
     *
     * @throws java.util.regex.PatternSyntaxException if the text is no pattern
     */
    public static Framing pattern(String regex) {
        return new Framing(-1, -1, Pattern.compile(regex, Pattern.DOTALL));
    }
}
