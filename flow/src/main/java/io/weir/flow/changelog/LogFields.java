package io.weir.flow.changelog;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Arrow form of a log's columns. */
final class LogFields {
    static final int UUID_BYTES = 16;

    /** What makes consumers of the C data interface see a UUID. */
    private static final Map<String, String> UUID_METADATA =
            Map.of("ARROW:extension:name", "arrow.uuid", "ARROW:extension:metadata", "");

    private LogFields() {}

    static Schema of(RowSchema schema) {
        List<Field> fields = new ArrayList<>();
        for (Column column : schema.columns()) {
            fields.add(field(column.name(), column.type()));
        }
        return new Schema(fields);
    }

    private static Field field(String name, Type type) {
        List<Field> children = new ArrayList<>();
        if (type.isStructType()) {
            for (Types.NestedField child : type.asStructType().fields()) {
                children.add(field(child.name(), child.type()));
            }
        }
        boolean uuid = type.typeId() == Type.TypeID.UUID;
        return new Field(
                name,
                new FieldType(true, arrow(type), null, uuid ? UUID_METADATA : Map.of()),
                children);
    }

    private static ArrowType arrow(Type type) {
        return switch (type.typeId()) {
            case BOOLEAN -> ArrowType.Bool.INSTANCE;
            case INTEGER -> new ArrowType.Int(Integer.SIZE, true);
            case LONG -> new ArrowType.Int(Long.SIZE, true);
            case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                yield new ArrowType.Decimal(decimal.precision(), decimal.scale(), 128);
            }
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, Long.SIZE);
            case TIMESTAMP -> {
                boolean zoned = ((Types.TimestampType) type).shouldAdjustToUTC();
                yield new ArrowType.Timestamp(TimeUnit.MICROSECOND, zoned ? "UTC" : null);
            }
            case STRING -> ArrowType.Utf8.INSTANCE;
            case BINARY -> ArrowType.Binary.INSTANCE;
            case UUID -> new ArrowType.FixedSizeBinary(UUID_BYTES);
            case STRUCT -> ArrowType.Struct.INSTANCE;
            default -> throw new IllegalArgumentException("No Arrow form for type " + type);
        };
    }
}
