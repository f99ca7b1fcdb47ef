package io.weir.core.route;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The partition values of a row; all rows of a file have the same route.
 *
 * @param values one for each field, in Iceberg's internal form; none in a table that is not
 *     partitioned
 */
public record Route(List<@Nullable Object> values) {
    /** The only route of a table that is not partitioned. */
    public static final Route NONE = new Route(List.of());

    public Route {
        List<@Nullable Object> copy = new ArrayList<>(values.size());
        values.forEach(value -> copy.add(plain(value)));
        values = Collections.unmodifiableList(copy);
    }

    public static Route of(@Nullable Object... values) {
        return new Route(Arrays.asList(values));
    }

    /** Equal values must be equal objects, and nobody may change them later. */
    static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof CharSequence text) {
            return text.toString();
        }
        if (value instanceof ByteBuffer buffer && !buffer.isReadOnly()) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
        }
        return value;
    }
}
