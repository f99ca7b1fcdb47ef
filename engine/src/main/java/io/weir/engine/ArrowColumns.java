package io.weir.engine;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which field of an Arrow stream feeds which column. Types must be the same on both sides: a cast
 * that nobody asked for could lose part of a value without a word.
 */
final class ArrowColumns {
    private static final int UUID_BYTES = 16;

    private ArrowColumns() {}

    /**
     * For each column of the schema the position of its field in the stream.
     *
     * @throws IllegalArgumentException with the reason if the stream does not fit the schema
     */
    static List<Integer> positions(Schema stream, RowSchema schema) {
        Set<String> seen = new HashSet<>();
        List<Integer> positions = new ArrayList<>();
        for (Column column : schema.columns()) {
            if (!seen.add(column.name().toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "column names differ only in case (column=" + column.name() + ")");
            }
            int position = position(stream, column.name());
            Field field = stream.getFields().get(position);
            if (!fits(field, column.type())) {
                throw new IllegalArgumentException(
                        "the rows have another type than the table (column=" + column.name()
                                + ", rows=" + field.getType() + ", table=" + column.type() + ")");
            }
            positions.add(position);
        }
        return positions;
    }

    private static int position(Schema stream, String name) {
        List<Field> fields = stream.getFields();
        int found = -1;
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).getName().equals(name)) {
                if (found >= 0) {
                    throw new IllegalArgumentException(
                            "the rows have a column twice (column=" + name + ")");
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException("the rows lack a column (column=" + name + ")");
        }
        return found;
    }

    private static boolean fits(Field field, Type type) {
        ArrowType arrow = field.getType();
        return switch (type.typeId()) {
            case BOOLEAN -> arrow.equals(ArrowType.Bool.INSTANCE);
            case INTEGER -> arrow.equals(new ArrowType.Int(Integer.SIZE, true));
            case LONG -> arrow.equals(new ArrowType.Int(Long.SIZE, true));
            case FLOAT -> arrow.equals(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
            case DOUBLE -> arrow.equals(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                yield arrow instanceof ArrowType.Decimal given
                        && given.getPrecision() == decimal.precision()
                        && given.getScale() == decimal.scale();
            }
            case DATE -> arrow.equals(new ArrowType.Date(DateUnit.DAY));
            case TIME -> arrow.equals(new ArrowType.Time(TimeUnit.MICROSECOND, Long.SIZE));
            case TIMESTAMP -> {
                boolean zoned = ((Types.TimestampType) type).shouldAdjustToUTC();
                yield arrow.equals(
                        new ArrowType.Timestamp(TimeUnit.MICROSECOND, zoned ? "UTC" : null));
            }
            case STRING ->
                arrow.equals(ArrowType.Utf8.INSTANCE)
                        || arrow.equals(ArrowType.LargeUtf8.INSTANCE)
                        || arrow.equals(ArrowType.Utf8View.INSTANCE);
            case BINARY ->
                arrow.equals(ArrowType.Binary.INSTANCE)
                        || arrow.equals(ArrowType.LargeBinary.INSTANCE)
                        || arrow.equals(ArrowType.BinaryView.INSTANCE);
            case UUID -> isUuid(field);
            case STRUCT ->
                arrow.equals(ArrowType.Struct.INSTANCE) && fits(field, type.asStructType());
            default -> false;
        };
    }

    /** The same fields in the same order: inside of a struct they are found by position. */
    private static boolean fits(Field field, Types.StructType type) {
        List<Field> given = field.getChildren();
        List<Types.NestedField> wanted = type.fields();
        boolean fits = given.size() == wanted.size();
        for (int i = 0; fits && i < given.size(); i++) {
            fits = given.get(i).getName().equals(wanted.get(i).name())
                    && fits(given.get(i), wanted.get(i).type());
        }
        return fits;
    }

    /** DuckDB takes sixteen bytes for a UUID only if the field says so. */
    private static boolean isUuid(Field field) {
        ArrowType arrow = field.getType();
        if (arrow instanceof ArrowType.ExtensionType extension) {
            return extension.extensionName().equals("arrow.uuid");
        }
        return arrow.equals(new ArrowType.FixedSizeBinary(UUID_BYTES))
                && "arrow.uuid"
                        .equals(field.getMetadata()
                                .get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME));
    }
}
