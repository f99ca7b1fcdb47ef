package io.weir.table;

import org.apache.iceberg.io.SeekableInputStream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a local file through one buffer, because metadata is parsed byte by byte. */
final class LocalInputStream extends SeekableInputStream {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final SeekableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

    LocalInputStream(Path path) throws IOException {
        channel = Files.newByteChannel(path);
    }

    @Override
    public long getPos() throws IOException {
        return channel.position() - buffer.remaining();
    }

    @Override
    public void seek(long position) throws IOException {
        channel.position(position);
        buffer.limit(0);
    }

    @Override
    public int read() throws IOException {
        return fill() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(target, offset, count);
        return count;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private boolean fill() throws IOException {
        if (buffer.hasRemaining()) {
            return true;
        }
        buffer.clear();
        int count = channel.read(buffer);
        buffer.flip();
        return count > 0;
    }
}
