package io.weir.table;

import org.jspecify.annotations.Nullable;

import java.util.OptionalLong;

/**
 * The identity of a transaction: a source numbers its transactions, and each number is committed
 * once.
 *
 * @param source the name that the client gave, stable over its restarts
 * @param epoch of the claim on the source; an older one cannot commit any more
 * @param sequence grows with every transaction of the source; gaps are fine
 */
public record IngestMark(String source, long epoch, long sequence) {
    private static final String NONE = "-";

    /** What a table remembers of a source. */
    record Memory(long epoch, OptionalLong sequence) {
        static final Memory EMPTY = new Memory(0, OptionalLong.empty());

        static Memory parse(@Nullable String text) {
            if (text == null) {
                return EMPTY;
            }
            int colon = text.indexOf(':');
            String sequence = text.substring(colon + 1);
            return new Memory(
                    Long.parseLong(text.substring(0, colon)),
                    sequence.equals(NONE)
                            ? OptionalLong.empty()
                            : OptionalLong.of(Long.parseLong(sequence)));
        }

        boolean covers(long number) {
            return sequence.isPresent() && sequence.getAsLong() >= number;
        }

        @Override
        public String toString() {
            return epoch + ":"
                    + (sequence.isPresent() ? Long.toString(sequence.getAsLong()) : NONE);
        }
    }
}
