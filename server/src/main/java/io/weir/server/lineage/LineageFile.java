package io.weir.server.lineage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Appends events to a file, one a line, each durable before it counts as told. */
record LineageFile(Path path) implements LineageSink {
    @Override
    public void take(String event) throws IOException {
        ByteBuffer line = StandardCharsets.UTF_8.encode(event + "\n");
        // Opened each time: whoever rotates the file need not tell us.
        try (FileChannel file = FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND)) {
            while (line.hasRemaining()) {
                file.write(line);
            }
            file.force(true);
        }
    }
}
