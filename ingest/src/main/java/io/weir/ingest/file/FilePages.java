package io.weir.ingest.file;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;

/** The pages of one row group of a file that is in memory. */
final class FilePages implements PageReadStore {
    private final Map<ColumnDescriptor, PageReader> readers = new HashMap<>();
    private final long rows;

    FilePages(byte[] file, RowGroup group, MessageType message) throws IOException {
        this.rows = group.getNum_rows();
        for (int i = 0; i < message.getColumns().size(); i++) {
            ColumnDescriptor column = message.getColumns().get(i);
            ColumnMetaData chunk = group.getColumns().get(i).getMeta_data();
            readers.put(column, new Chunk(file, chunk, column));
        }
    }

    @Override
    public PageReader getPageReader(ColumnDescriptor descriptor) {
        PageReader reader = readers.get(descriptor);
        if (reader == null) {
            throw new IllegalArgumentException("No column " + descriptor);
        }
        return reader;
    }

    @Override
    public long getRowCount() {
        return rows;
    }

    private static final class Chunk implements PageReader {
        private final long values;
        private final Deque<DataPage> pages = new ArrayDeque<>();
        private @Nullable DictionaryPage dictionary;

        Chunk(byte[] file, ColumnMetaData chunk, ColumnDescriptor column) throws IOException {
            this.values = chunk.getNum_values();
            long from = chunk.isSetDictionary_page_offset() && chunk.getDictionary_page_offset() > 0
                    ? Math.min(chunk.getDictionary_page_offset(), chunk.getData_page_offset())
                    : chunk.getData_page_offset();
            int at = Math.toIntExact(from);
            int end = Math.toIntExact(from + chunk.getTotal_compressed_size());
            while (at < end) {
                ByteArrayInputStream in = new ByteArrayInputStream(file, at, end - at);
                PageHeader header = Util.readPageHeader(in);
                int body = end - in.available();
                take(header, file, body, column);
                at = body + header.getCompressed_page_size();
            }
        }

        private void take(PageHeader header, byte[] file, int at, ColumnDescriptor column)
                throws IOException {
            int size = header.getCompressed_page_size();
            CRC32 crc = new CRC32();
            crc.update(file, at, size);
            if (header.isSetCrc() && header.getCrc() != (int) crc.getValue()) {
                throw new IOException("A page is damaged (offset=" + at + ")");
            }
            BytesInput bytes = BytesInput.from(ZstdPages.decompress(
                    Arrays.copyOfRange(file, at, at + size), header.getUncompressed_page_size()));
            if (header.getType() == PageType.DICTIONARY_PAGE) {
                dictionary = new DictionaryPage(
                        bytes,
                        header.getDictionary_page_header().getNum_values(),
                        encoding(header.getDictionary_page_header().getEncoding()));
                return;
            }
            DataPageHeader data = header.getData_page_header();
            pages.add(new DataPageV1(
                    bytes,
                    data.getNum_values(),
                    header.getUncompressed_page_size(),
                    Statistics.createStats(column.getPrimitiveType()),
                    encoding(data.getRepetition_level_encoding()),
                    encoding(data.getDefinition_level_encoding()),
                    encoding(data.getEncoding())));
        }

        private static Encoding encoding(org.apache.parquet.format.Encoding encoding) {
            return Encoding.valueOf(encoding.name());
        }

        @Override
        public @Nullable DictionaryPage readDictionaryPage() {
            return dictionary;
        }

        @Override
        public long getTotalValueCount() {
            return values;
        }

        @Override
        public @Nullable DataPage readPage() {
            return pages.poll();
        }
    }
}
