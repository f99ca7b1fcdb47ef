package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Schema and name of a relation, as the catalog has them.
 *
 * @param schema {@code public} where a name is given without one, whatever the search path
 */
record RelationName(String schema, String name) {
    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");
    private static final String DEFAULT_SCHEMA = "public";

    /**
     * Reads {@code orders}, {@code public.orders}, {@code "My Schema"."T"}.
     *
     * @throws WeirException {@code CONFIG_INVALID} if it is no name
     */
    static RelationName parse(String text) {
        List<String> parts = new ArrayList<>();
        int at = 0;
        while (true) {
            StringBuilder part = new StringBuilder();
            at = readPart(text, at, part);
            parts.add(part.toString());
            if (at == text.length()) {
                break;
            }
            if (text.charAt(at) != '.') {
                throw invalid(text, "a quoted part must be followed by a dot or the end");
            }
            at++;
        }
        if (parts.size() > 2) {
            throw invalid(text, "it has more than schema and name");
        }
        return parts.size() == 1
                ? new RelationName(DEFAULT_SCHEMA, parts.get(0))
                : new RelationName(parts.get(0), parts.get(1));
    }

    private static int readPart(String text, int start, StringBuilder part) {
        if (start < text.length() && text.charAt(start) == '"') {
            return readQuoted(text, start + 1, part);
        }
        int at = start;
        while (at < text.length() && text.charAt(at) != '.') {
            char c = text.charAt(at);
            if (c == '"' || Character.isWhitespace(c)) {
                throw invalid(text, "a part with spaces or quotes must be in double quotes");
            }
            // The server folds ASCII letters only.
            part.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
            at++;
        }
        if (part.length() == 0) {
            throw invalid(text, "a part is empty");
        }
        return at;
    }

    private static int readQuoted(String text, int start, StringBuilder part) {
        int at = start;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                boolean doubled = at + 1 < text.length() && text.charAt(at + 1) == '"';
                if (!doubled) {
                    if (part.length() == 0) {
                        throw invalid(text, "a part is empty");
                    }
                    return at + 1;
                }
                at++;
            }
            part.append(c);
            at++;
        }
        throw invalid(text, "a double quote is not closed");
    }

    private static WeirException invalid(String text, String reason) {
        return new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot read table " + text + ": it is no table name, " + reason
                        + " (form=schema.table)",
                "Write schema.table, each part in double quotes if it has capitals or spaces.",
                null);
    }

    /** An identifier as SQL: every one is quoted, so that none is folded or reserved. */
    static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** For SQL. */
    String quoted() {
        return quote(schema) + '.' + quote(name);
    }

    /** For people, and readable again by {@link #parse}: quoted only where needed. */
    @Override
    public String toString() {
        return display(schema) + '.' + display(name);
    }

    private static String display(String identifier) {
        return PLAIN.matcher(identifier).matches() ? identifier : quote(identifier);
    }
}
