package io.weir.core.row;

import org.apache.iceberg.types.Type;

/**
 * How a value is written into canonical bytes. Tags are part of the digest format and never change;
 * {@code docs/reference/digest.md} is the specification.
 */
public enum CanonicalType {
    BOOLEAN(1),
    /** Integers of every width, so that widening keeps the digest. */
    INTEGER(2),
    /** Single and double precision, as double, so that widening keeps the digest. */
    FLOATING(3),
    /** Exact numbers by value: trailing zeros do not count. */
    DECIMAL(4),
    TEXT(5),
    /** Blank-padded text of fixed width: trailing spaces do not count, as in SQL. */
    PADDED_TEXT(5),
    BINARY(6),
    /** Days since 1970-01-01, proleptic Gregorian. */
    DATE(7),
    /** Microseconds since midnight. */
    TIME(8),
    /** Microseconds since 1970-01-01T00:00 of the wall clock. */
    TIMESTAMP(9),
    /** Microseconds since 1970-01-01T00:00Z. */
    TIMESTAMP_TZ(10),
    UUID(11),
    /** The text of the server, byte for byte. */
    JSON(12);

    /** Tag of a NULL in a column whose initial default is not NULL. */
    public static final int NULL_TAG = 0;

    private final int tag;

    CanonicalType(int tag) {
        this.tag = tag;
    }

    public int tag() {
        return tag;
    }

    /**
     * The canonical type of a column from what its table remembers: the Iceberg type and the source
     * type, because text, padded text and JSON are one Iceberg type.
     *
     * @param sourceType the name as the source database writes it, such as {@code character(5)}
     * @throws IllegalArgumentException if no source type maps to this Iceberg type
     */
    public static CanonicalType of(Type type, String sourceType) {
        return switch (type.typeId()) {
            case BOOLEAN -> BOOLEAN;
            case INTEGER, LONG -> INTEGER;
            case FLOAT, DOUBLE -> FLOATING;
            case DECIMAL -> DECIMAL;
            case DATE -> DATE;
            case TIME -> TIME;
            case TIMESTAMP -> type.toString().equals("timestamptz") ? TIMESTAMP_TZ : TIMESTAMP;
            case UUID -> UUID;
            case BINARY, FIXED -> BINARY;
            case STRING -> textType(sourceType);
            default ->
                throw new IllegalArgumentException("No canonical form for Iceberg type " + type);
        };
    }

    private static CanonicalType textType(String sourceType) {
        if (sourceType.equals("json") || sourceType.equals("jsonb")) {
            return JSON;
        }
        boolean padded = sourceType.startsWith("character(")
                || sourceType.equals("character")
                || sourceType.equals("bpchar");
        return padded ? PADDED_TEXT : TEXT;
    }
}
