package io.weir.ingest.file;

import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;

/** Values are taken from column readers one by one, so nothing is converted. */
final class NoConverter extends GroupConverter {
    private final PrimitiveConverter none = new PrimitiveConverter() {};

    @Override
    public Converter getConverter(int fieldIndex) {
        return none;
    }

    @Override
    public void start() {}

    @Override
    public void end() {}
}
