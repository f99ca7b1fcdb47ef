package io.weir.source.postgresql;

/** What the server sends for a value in binary form; big-endian. */
enum WireType {
    BOOLEAN(1),
    INT2(2),
    INT4(4),
    INT8(8),
    FLOAT4(4),
    FLOAT8(8),
    /** Groups of four decimal digits after a header of eight bytes. */
    NUMERIC(WireType.VARIABLE),
    /** UTF-8, as the client encoding says. */
    TEXT(WireType.VARIABLE),
    /** A version byte, then text. */
    JSONB(WireType.VARIABLE),
    BYTEA(WireType.VARIABLE),
    /** Days since 2000-01-01. */
    DATE(4),
    /** Microseconds since midnight. */
    TIME(8),
    /** Microseconds since 2000-01-01T00:00. */
    TIMESTAMP(8),
    /** Microseconds since 2000-01-01T00:00Z. */
    TIMESTAMP_TZ(8),
    UUID(16);

    /** The size of a type whose values differ in length. */
    static final int VARIABLE = -1;

    private final int size;

    WireType(int size) {
        this.size = size;
    }

    /** Bytes of every value, or {@link #VARIABLE}. */
    int size() {
        return size;
    }
}
