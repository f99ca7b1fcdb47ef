package io.weir.ingest.file;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Types;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types.PrimitiveBuilder;

import java.util.ArrayList;
import java.util.List;

/** The Parquet schema of rows, as Iceberg's specification maps its types. */
final class ParquetSchema {
    static final int DIGITS_OF_INT = 9;
    static final int DIGITS_OF_LONG = 18;
    static final int UUID_BYTES = 16;

    private ParquetSchema() {}

    static MessageType of(RowSchema schema) {
        List<Type> fields = new ArrayList<>();
        for (Column column : schema.columns()) {
            Repetition repetition = column.required() ? Repetition.REQUIRED : Repetition.OPTIONAL;
            fields.add(
                    primitive(column.type(), repetition).id(column.fieldId()).named(column.name()));
        }
        return new MessageType("table", fields);
    }

    private static PrimitiveBuilder<PrimitiveType> primitive(
            org.apache.iceberg.types.Type type, Repetition repetition) {
        return switch (type.typeId()) {
            case BOOLEAN -> of(PrimitiveTypeName.BOOLEAN, repetition);
            case INTEGER -> of(PrimitiveTypeName.INT32, repetition);
            case LONG -> of(PrimitiveTypeName.INT64, repetition);
            case FLOAT -> of(PrimitiveTypeName.FLOAT, repetition);
            case DOUBLE -> of(PrimitiveTypeName.DOUBLE, repetition);
            case DECIMAL -> decimal((Types.DecimalType) type, repetition);
            case DATE ->
                of(PrimitiveTypeName.INT32, repetition).as(LogicalTypeAnnotation.dateType());
            case TIME ->
                of(PrimitiveTypeName.INT64, repetition)
                        .as(LogicalTypeAnnotation.timeType(false, TimeUnit.MICROS));
            case TIMESTAMP ->
                of(PrimitiveTypeName.INT64, repetition)
                        .as(LogicalTypeAnnotation.timestampType(
                                ((Types.TimestampType) type).shouldAdjustToUTC(), TimeUnit.MICROS));
            case STRING ->
                of(PrimitiveTypeName.BINARY, repetition).as(LogicalTypeAnnotation.stringType());
            case UUID ->
                of(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
                        .length(UUID_BYTES)
                        .as(LogicalTypeAnnotation.uuidType());
            case BINARY -> of(PrimitiveTypeName.BINARY, repetition);
            case FIXED ->
                of(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
                        .length(((Types.FixedType) type).length());
            default -> throw new IllegalArgumentException("No Parquet form of type " + type);
        };
    }

    private static PrimitiveBuilder<PrimitiveType> decimal(
            Types.DecimalType type, Repetition repetition) {
        LogicalTypeAnnotation annotation =
                LogicalTypeAnnotation.decimalType(type.scale(), type.precision());
        if (type.precision() <= DIGITS_OF_INT) {
            return of(PrimitiveTypeName.INT32, repetition).as(annotation);
        }
        if (type.precision() <= DIGITS_OF_LONG) {
            return of(PrimitiveTypeName.INT64, repetition).as(annotation);
        }
        return of(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
                .length(decimalBytes(type.precision()))
                .as(annotation);
    }

    /** The fewest bytes that hold every number of so many digits. */
    static int decimalBytes(int precision) {
        return java.math.BigInteger.TEN.pow(precision).bitLength() / Byte.SIZE + 1;
    }

    private static PrimitiveBuilder<PrimitiveType> of(
            PrimitiveTypeName name, Repetition repetition) {
        return org.apache.parquet.schema.Types.primitive(name, repetition);
    }
}
