package io.weir.app.config;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.snakeyaml.engine.v2.nodes.Node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a job file, so that one reading shows everything. */
final class Problems {
    private final Path file;
    private final List<String> lines = new ArrayList<>();
    private boolean onlyUnknownKeys = true;

    Problems(Path file) {
        this.file = file;
    }

    void add(Node node, String problem) {
        onlyUnknownKeys = false;
        lines.add(at(node) + ": " + problem);
    }

    void addUnknownKey(Node node, String problem) {
        lines.add(at(node) + ": " + problem);
    }

    /** Throws if anything was added: {@link ErrorCode#CONFIG_INVALID} and its kind. */
    void throwIfAny() {
        if (lines.isEmpty()) {
            return;
        }
        ErrorCode code = onlyUnknownKeys ? ErrorCode.CONFIG_UNKNOWN_KEY : ErrorCode.CONFIG_INVALID;
        String count = lines.size() == 1 ? "one problem" : lines.size() + " problems";
        throw new WeirException(
                code,
                "Cannot read job file " + file + ": " + count + "\n  "
                        + String.join("\n  ", lines));
    }

    private String at(Node node) {
        return node.getStartMark()
                .map(mark -> file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                .orElse(file.toString());
    }
}
