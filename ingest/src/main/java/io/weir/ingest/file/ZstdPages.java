package io.weir.ingest.file;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;

import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Compresses pages; Parquet's own codecs come through Hadoop. Not thread-safe. */
final class ZstdPages implements BytesInputCompressor, AutoCloseable {
    private static final int LEVEL = 1;

    /** Its buffers need not be released. */
    static final ByteBufferAllocator HEAP = new HeapByteBufferAllocator();

    private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(LEVEL);
    private byte[] compressed = {};

    /** Compresses a page; what is returned is good until the next call. */
    @Override
    public BytesInput compress(BytesInput page) throws IOException {
        // Not a copy if the page is one array, as those of columns without dictionary are.
        ByteBuffer plain = page.toByteBuffer(HEAP, made -> {});
        int most = Math.toIntExact(Zstd.compressBound(plain.remaining()));
        if (most > compressed.length) {
            compressed = new byte[most];
        }
        int size = context.compressByteArray(
                compressed,
                0,
                compressed.length,
                plain.array(),
                plain.arrayOffset() + plain.position(),
                plain.remaining());
        return BytesInput.from(compressed, 0, size);
    }

    static byte[] decompress(byte[] page, int size) {
        return Zstd.decompress(page, size);
    }

    @Override
    public CompressionCodecName getCodecName() {
        return CompressionCodecName.ZSTD;
    }

    /** Parquet calls this after each row group; the context serves the whole file. */
    @Override
    public void release() {}

    @Override
    public void close() {
        context.close();
    }
}
