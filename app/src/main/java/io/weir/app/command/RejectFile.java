package io.weir.app.command;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.ingest.RejectedRecord;

import org.jspecify.annotations.Nullable;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Consumer;

/** Records that did not become rows, one JSON document a line; made with the first one. */
final class RejectFile implements AutoCloseable {
    private final Path path;
    private final Consumer<Path> first;
    private @Nullable BufferedWriter writer;
    private long count;

    /**
     * Opens nothing yet.
     *
     * @param first told of the file before the first record goes into it
     */
    RejectFile(Path path, Consumer<Path> first) {
        this.path = path;
        this.first = first;
    }

    Path path() {
        return path;
    }

    long count() {
        return count;
    }

    void add(RejectedRecord record, long line) {
        ObjectNode json = Json.object()
                .put("line", line)
                .put("record", record.number())
                .put("column", record.column())
                .put("value", record.value())
                .put("reason", record.reason())
                .put("text", new String(record.bytes(), StandardCharsets.UTF_8));
        if (!isText(record.bytes())) {
            // The text shows what could be read; only this can be mended and sent again.
            json.put("base64", Base64.getEncoder().encodeToString(record.bytes()));
        }
        try {
            BufferedWriter to = writer;
            if (to == null) {
                first.accept(path);
                to = Files.newBufferedWriter(
                        path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                writer = to;
            }
            to.write(Json.line(json));
            to.newLine();
            count++;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private static boolean isText(byte[] bytes) {
        return Arrays.equals(
                bytes, new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
    }

    /** What is committed must not be known better than what was rejected before it. */
    void flush() {
        try {
            if (writer != null) {
                writer.flush();
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private WeirException failure(IOException e) {
        return new WeirException(
                ErrorCode.DISK_FULL,
                "Cannot write rejected records to " + path + ": " + e.getMessage(),
                e);
    }

    @Override
    public void close() {
        try {
            if (writer != null) {
                writer.close();
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }
}
