package io.weir.testkit.tidy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.ErrorKind;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Renders {@code docs/reference/errors.md} from the error codes. */
final class ErrorsPage {
    static final String PATH = "docs/reference/errors.md";

    private static final int COLUMNS = 100;
    private static final String HEAD = """
            # Errors

            Weir fails with a message, a code and a hint. The message says what could not be done,
            to what, and why, with the values that matter; the code is stable and meant for
            programs; the hint says what to do next. Secrets never appear in any of them.

            A code belongs to a kind. The exit code of a command and the HTTP status follow from
            the kind.

            This page is generated from the code. After a change run
            `mvn -pl testkit test -Dtest=TidyTest -Dweir.regenerate=true`.

            ## Kinds

            | kind | exit code | HTTP status | meaning |
            | --- | --- | --- | --- |
            """;

    private ErrorsPage() {}

    static String render() {
        StringBuilder page = new StringBuilder(HEAD);
        for (ErrorKind kind : ErrorKind.values()) {
            page.append("| ").append(name(kind));
            page.append(" | ").append(kind.exitCode());
            page.append(" | ").append(kind.httpStatus());
            page.append(" | ").append(meaning(kind)).append(" |\n");
        }
        page.append("\n## Codes\n");
        for (ErrorCode code : ErrorCode.values()) {
            page.append("\n### ").append(code.name()).append("\n\n");
            page.append(wrap(code.meaning())).append("\n\n");
            page.append(wrap("Hint: " + code.hint())).append("\n\n");
            page.append("Kind ").append(name(code.kind()));
            page.append(", exit code ").append(code.kind().exitCode());
            page.append(", HTTP status ").append(code.kind().httpStatus()).append(".\n");
        }
        return page.toString();
    }

    private static String name(ErrorKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String meaning(ErrorKind kind) {
        return switch (kind) {
            case INVALID -> "the caller can fix it";
            case NOT_FOUND -> "there is no such thing";
            case CONFLICT -> "true now, maybe not later: a state or a token moved";
            case TRANSIENT -> "outside of Weir and likely to pass";
            case TERMINAL -> "outside of Weir and will not pass by itself";
            case UNKNOWN_OUTCOME -> "it may or may not have happened; only looking tells";
            case BUG -> "a fault of Weir";
        };
    }

    /** Breaks at blanks; what looks like markup is shown as it is. */
    private static String wrap(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.replace("_", "\\_").replace("*", "\\*").split(" ", -1)) {
            if (line.length() + 1 + word.length() > COLUMNS) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return String.join("\n", lines);
    }
}
