package io.weir.app.console;

import io.weir.flow.load.LoadListener;

import java.io.PrintWriter;

/** Chooses how progress is shown. */
public interface ProgressPrinter extends LoadListener {
    /** How progress can be shown. */
    enum Form {
        JSON,
        LINES,
        LIVE
    }

    /** JSON lines for programs, a live display on a terminal, plain lines in a pipe. */
    static ProgressPrinter of(PrintWriter out, Form form) {
        return switch (form) {
            case JSON -> new JsonProgress(out);
            case LINES -> new LineProgress(out, System::nanoTime);
            case LIVE -> new LiveProgress(out, System::nanoTime);
        };
    }
}
