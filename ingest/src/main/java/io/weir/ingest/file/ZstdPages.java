package io.weir.ingest.file;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Compresses pages; Parquet's own codecs come through Hadoop. Not thread-safe. */
final class ZstdPages implements BytesInputCompressor, AutoCloseable {
    private static final int LEVEL = 1;

    private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(LEVEL);
    private final Plain plain = new Plain();

    @Override
    public BytesInput compress(BytesInput page) throws IOException {
        plain.reset();
        page.writeAllTo(plain);
        byte[] compressed = new byte[Math.toIntExact(Zstd.compressBound(plain.size()))];
        int size = context.compressByteArray(
                compressed, 0, compressed.length, plain.bytes(), 0, plain.size());
        return BytesInput.from(compressed, 0, size);
    }

    /** Lets go of no copy of what was written. */
    private static final class Plain extends ByteArrayOutputStream {
        byte[] bytes() {
            return buf;
        }
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
