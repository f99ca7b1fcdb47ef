package io.weir.bench;

import io.weir.capture.ImageDigest;
import io.weir.capture.RowImage;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.math.BigDecimal;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** Rows of 8 columns as a function of number and version, with their digests. Not thread-safe. */
final class MergeRows {
    static final RowSchema SCHEMA = new RowSchema(
            List.of(
                    column(1, "id", "bigint", Types.LongType.get(), true),
                    column(2, "customer_code", "text", Types.StringType.get(), false),
                    column(3, "order_ref", "text", Types.StringType.get(), false),
                    column(4, "status_text", "text", Types.StringType.get(), false),
                    column(5, "amount", "numeric(18,2)", Types.DecimalType.of(18, 2), false),
                    column(
                            6,
                            "created_at",
                            "timestamp without time zone",
                            Types.TimestampType.withoutZone(),
                            false),
                    column(7, "quantity", "integer", Types.IntegerType.get(), false),
                    column(8, "order_date", "date", Types.DateType.get(), false)),
            List.of("id"));

    private static final BitSet NOTHING = new BitSet();
    private static final String[] STATUS = {
        "status placed by web", "status paid by card!", "status shipped today",
        "status delivered now", "status was returned!", "status is cancelled!"
    };
    private static final long CUSTOMERS = 100_000;
    private static final long CENTS = 10_000_000;
    private static final long FIRST_MICROS = 1_704_067_200_000_000L;
    private static final long STEP_MICROS = 6_007_919;
    private static final int FIRST_DAY = 19_723;
    private static final int DAYS = 700;
    private static final long MIX = 0x9e3779b97f4a7c15L;

    private final ImageDigest digest = new ImageDigest(SCHEMA);

    private static Column column(int id, String name, String source, Type type, boolean required) {
        return new Column(id, name, source, type, required, LossPolicy.FAIL);
    }

    /** The row of this number after so many changes. */
    static RowImage row(long number, int version) {
        String reference = HexFormat.of().toHexDigits(number * MIX)
                + HexFormat.of().toHexDigits((short) (number * MIX >> 32));
        return new RowImage(
                new Object[] {
                    number,
                    "customer-"
                            + String.valueOf(CUSTOMERS * 1_000_000 + number * 7919 % CUSTOMERS)
                                    .substring(1),
                    reference,
                    STATUS[(int) ((number + version) % STATUS.length)],
                    BigDecimal.valueOf((number * 104_729 + version * 31L) % CENTS, 2),
                    FIRST_MICROS + number * STEP_MICROS,
                    (int) (number % 100),
                    FIRST_DAY + (int) (number % DAYS)
                },
                NOTHING);
    }

    UUID digest(RowImage row) {
        UUID found = digest.of(row);
        if (found == null) {
            throw new IllegalStateException("A row of ours is complete");
        }
        return found;
    }
}
