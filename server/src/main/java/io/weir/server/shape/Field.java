package io.weir.server.shape;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One field of a document.
 *
 * @param max length of texts, largest number, or most elements
 * @param constants the only texts that are taken; empty for any
 * @param items shape of the elements of a list
 */
public record Field(
        String name,
        Kind kind,
        boolean required,
        boolean nullable,
        @Nullable Pattern pattern,
        long min,
        long max,
        List<String> constants,
        @Nullable Shape items) {
    private static final long TEXT_MAX = 2_000;

    /** What a field holds. */
    public enum Kind {
        TEXT,
        /** A whole number of 64 bits; digits in a text are taken too. */
        COUNT,
        /** true or false; the words in a text are taken too. */
        TRUTH,
        UUID,
        /** A whole number of up to 38 digits, as text; a JSON number is taken too. */
        DECIMAL,
        TIME,
        /** Any JSON object. */
        OBJECT,
        /** Any JSON value; the route looks into it. */
        ANY,
        /** Names to texts. */
        TEXTS_BY_NAME,
        /** Names to numbers. */
        COUNTS_BY_NAME,
        TEXTS,
        LIST
    }

    public static Field text(String name) {
        return new Field(name, Kind.TEXT, false, true, null, 0, TEXT_MAX, List.of(), null);
    }

    public static Field count(String name) {
        return of(name, Kind.COUNT, 0, Long.MAX_VALUE);
    }

    public static Field truth(String name) {
        return of(name, Kind.TRUTH, 0, 0);
    }

    public static Field uuid(String name) {
        return of(name, Kind.UUID, 0, 0);
    }

    public static Field decimal(String name) {
        return of(name, Kind.DECIMAL, 0, 0);
    }

    public static Field time(String name) {
        return of(name, Kind.TIME, 0, 0);
    }

    public static Field object(String name) {
        return of(name, Kind.OBJECT, 0, 0);
    }

    public static Field any(String name) {
        return of(name, Kind.ANY, 0, 0);
    }

    public static Field textsByName(String name, int most) {
        return of(name, Kind.TEXTS_BY_NAME, 0, most);
    }

    public static Field countsByName(String name) {
        return of(name, Kind.COUNTS_BY_NAME, 0, Integer.MAX_VALUE);
    }

    public static Field texts(String name) {
        return of(name, Kind.TEXTS, 0, Integer.MAX_VALUE);
    }

    public static Field list(String name, Shape items, int least, int most) {
        return new Field(name, Kind.LIST, false, true, null, least, most, List.of(), items);
    }

    private static Field of(String name, Kind kind, long min, long max) {
        return new Field(name, kind, false, true, null, min, max, List.of(), null);
    }

    /** It has to be there and must not be null. */
    public Field mandatory() {
        return new Field(name, kind, true, false, pattern, min, max, constants, items);
    }

    public Field matching(Pattern form) {
        return new Field(name, kind, required, nullable, form, min, max, constants, items);
    }

    /** Longest text, largest number. */
    public Field atMost(long most) {
        return new Field(name, kind, required, nullable, pattern, min, most, constants, items);
    }

    /** Shortest text, smallest number. */
    public Field atLeast(long least) {
        return new Field(name, kind, required, nullable, pattern, least, max, constants, items);
    }

    public Field oneOf(Enum<?>... words) {
        List<String> names = Arrays.stream(words).map(Enum::name).toList();
        return new Field(name, kind, required, nullable, pattern, min, max, names, items);
    }

    public Field oneOf(String... words) {
        return new Field(name, kind, required, nullable, pattern, min, max, List.of(words), items);
    }
}
