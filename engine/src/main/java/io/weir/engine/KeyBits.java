package io.weir.engine;

import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * Counts rows beyond the first of each key, one bit for a value, while the rows are scanned anyway.
 * For keys of one whole number that lie close together, as sequences make them; it gives up when
 * they turn out to be spread, and the engine groups them instead. Shared by the threads of a
 * measurement.
 */
final class KeyBits {
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int PAGE_SHIFT = 20;
    private static final int PAGE_WORDS = (1 << PAGE_SHIFT) / Long.SIZE;
    private static final long IN_PAGE = (1L << PAGE_SHIFT) - 1;
    // 32 MiB of heap: 268 million values without a gap.
    private static final int PAGES_MAX = 256;

    private final int fieldId;
    private final Map<Long, long[]> pages = new ConcurrentHashMap<>();
    private final LongAdder duplicates = new LongAdder();
    private volatile boolean givenUp;

    private KeyBits(int fieldId) {
        this.fieldId = fieldId;
    }

    /** Null if the key is not one whole number. */
    static @Nullable KeyBits of(RowSchema schema) {
        if (schema.key().size() != 1) {
            return null;
        }
        Column column = schema.column(schema.key().get(0));
        CanonicalType type = column.canonicalType();
        return switch (type) {
            case INTEGER, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> new KeyBits(column.fieldId());
            case BOOLEAN, FLOATING, DECIMAL, TEXT, PADDED_TEXT, JSON, BINARY, UUID -> null;
        };
    }

    int fieldId() {
        return fieldId;
    }

    /** Takes the keys of a batch. */
    void add(IntegerScan keys, int rows) {
        add(keys, rows, row -> true, value -> {});
    }

    /**
     * The same.
     *
     * @param counts whether a row of the batch is one to look at
     * @param again takes each key that came before; nothing after it gave up
     */
    void add(IntegerScan keys, int rows, IntPredicate counts, LongConsumer again) {
        if (givenUp) {
            return;
        }
        long[] page = {};
        long number = 0;
        long twice = 0;
        for (int row = 0; row < rows; row++) {
            if (!counts.test(row)) {
                continue;
            }
            if (keys.isNull(row)) {
                givenUp = true;
                return;
            }
            long value = keys.value(row);
            if (page.length == 0 || value >> PAGE_SHIFT != number) {
                number = value >> PAGE_SHIFT;
                page = pages.computeIfAbsent(number, unseen -> new long[PAGE_WORDS]);
                if (pages.size() > PAGES_MAX) {
                    givenUp = true;
                    pages.clear();
                    return;
                }
            }
            int bit = (int) (value & IN_PAGE);
            long mask = 1L << bit;
            long before = (long) WORDS.getAndBitwiseOr(page, bit / Long.SIZE, mask);
            if ((before & mask) != 0) {
                twice++;
                again.accept(value);
            }
        }
        duplicates.add(twice);
    }

    /** Empty if it gave up. */
    OptionalLong duplicates() {
        return givenUp ? OptionalLong.empty() : OptionalLong.of(duplicates.sum());
    }
}
