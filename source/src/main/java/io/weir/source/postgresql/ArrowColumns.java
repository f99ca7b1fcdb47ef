package io.weir.source.postgresql;

import io.weir.core.route.RowRouter;
import io.weir.core.row.Column;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Map;

/** The Arrow field of each Iceberg type and the writer of each wire type. */
final class ArrowColumns {
    private static final int DECIMAL_BITS = 128;
    private static final int UUID_BYTES = 16;
    private static final VarHandle NATIVE_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** What makes consumers of the C data interface see a UUID. */
    private static final Map<String, String> UUID_METADATA =
            Map.of("ARROW:extension:name", "arrow.uuid", "ARROW:extension:metadata", "");

    private ArrowColumns() {}

    static Field field(Column column) {
        Map<String, String> metadata =
                column.type().typeId() == Type.TypeID.UUID ? UUID_METADATA : Map.of();
        FieldType type =
                new FieldType(!column.required(), arrowType(column.type()), null, metadata);
        return new Field(column.name(), type, null);
    }

    /** The number of the route of each row. */
    static Field routeField() {
        ArrowType number = new ArrowType.Int(Integer.SIZE, true);
        return new Field(RowRouter.FIELD, FieldType.notNullable(number), null);
    }

    private static ArrowType arrowType(Type type) {
        return switch (type.typeId()) {
            case BOOLEAN -> new ArrowType.Bool();
            case INTEGER -> new ArrowType.Int(Integer.SIZE, true);
            case LONG -> new ArrowType.Int(Long.SIZE, true);
            case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                yield new ArrowType.Decimal(decimal.precision(), decimal.scale(), DECIMAL_BITS);
            }
            case STRING -> new ArrowType.Utf8();
            case BINARY -> new ArrowType.Binary();
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, Long.SIZE);
            case TIMESTAMP ->
                new ArrowType.Timestamp(
                        TimeUnit.MICROSECOND,
                        ((Types.TimestampType) type).shouldAdjustToUTC() ? "UTC" : null);
            case UUID -> new ArrowType.FixedSizeBinary(UUID_BYTES);
            default -> throw new IllegalArgumentException("No Arrow type for " + type);
        };
    }

    static ArrowColumn writer(WireType wire, Column column, FieldVector vector) {
        return switch (wire) {
            case TEXT, BYTEA -> new ArrowColumn.Bytes((BaseVariableWidthVector) vector, 0);
            case JSONB -> new ArrowColumn.Bytes((BaseVariableWidthVector) vector, 1);
            case BOOLEAN -> new ArrowColumn.Bits((BaseFixedWidthVector) vector);
            case NUMERIC ->
                new ArrowDecimal(
                        (BaseFixedWidthVector) vector,
                        (Types.DecimalType) column.type(),
                        column.name());
            case INT2, INT4, INT8, FLOAT4, FLOAT8, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, UUID ->
                fixed(wire, (BaseFixedWidthVector) vector);
        };
    }

    private static ArrowColumn fixed(WireType wire, BaseFixedWidthVector vector) {
        return switch (wire) {
            case INT2 -> new Int2(vector);
            case INT4, FLOAT4 -> new Bits32(vector);
            case DATE -> new Days(vector);
            case INT8, FLOAT8, TIME -> new Bits64(vector, 0);
            case TIMESTAMP, TIMESTAMP_TZ -> new Bits64(vector, Wire.EPOCH_MICROS);
            case UUID -> new Bits128(vector);
            case BOOLEAN, NUMERIC, TEXT, JSONB, BYTEA ->
                throw new IllegalArgumentException("Not of fixed width: " + wire);
        };
    }

    private static final class Int2 extends ArrowColumn.Fixed {
        Int2(BaseFixedWidthVector vector) {
            super(vector, Integer.BYTES);
        }

        @Override
        void put(long address, byte[] bytes, int at) {
            MemoryUtil.putInt(address, Wire.shortAt(bytes, at));
        }
    }

    /** Integers, and floats by their bits. */
    private static final class Bits32 extends ArrowColumn.Fixed {
        Bits32(BaseFixedWidthVector vector) {
            super(vector, Integer.BYTES);
        }

        @Override
        void put(long address, byte[] bytes, int at) {
            MemoryUtil.putInt(address, Wire.intAt(bytes, at));
        }
    }

    private static final class Days extends ArrowColumn.Fixed {
        Days(BaseFixedWidthVector vector) {
            super(vector, Integer.BYTES);
        }

        @Override
        void put(long address, byte[] bytes, int at) {
            MemoryUtil.putInt(address, Wire.intAt(bytes, at) + Wire.EPOCH_DAYS);
        }
    }

    /** Integers, doubles by their bits, and microseconds moved to another epoch. */
    private static final class Bits64 extends ArrowColumn.Fixed {
        private final long shift;

        Bits64(BaseFixedWidthVector vector, long shift) {
            super(vector, Long.BYTES);
            this.shift = shift;
        }

        @Override
        void put(long address, byte[] bytes, int at) {
            MemoryUtil.putLong(address, Wire.longAt(bytes, at) + shift);
        }
    }

    /** Sixteen bytes in their order. */
    private static final class Bits128 extends ArrowColumn.Fixed {
        Bits128(BaseFixedWidthVector vector) {
            super(vector, UUID_BYTES);
        }

        @Override
        void put(long address, byte[] bytes, int at) {
            MemoryUtil.putLong(address, (long) NATIVE_LONG.get(bytes, at));
            MemoryUtil.putLong(
                    address + Long.BYTES, (long) NATIVE_LONG.get(bytes, at + Long.BYTES));
        }
    }
}
