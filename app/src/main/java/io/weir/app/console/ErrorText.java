package io.weir.app.console;

import io.weir.core.error.WeirException;

import java.util.Locale;

/** An error as a terminal shows it: what, what to do, where to read more. */
public final class ErrorText {
    private ErrorText() {}

    public static String of(WeirException error) {
        String code = error.code().name();
        return "Error: "
                + error.text()
                + "\nHint: "
                + error.hint()
                + "\nCode: "
                + code
                + " (docs/reference/errors.md#"
                + code.toLowerCase(Locale.ROOT)
                + ")\n";
    }
}
