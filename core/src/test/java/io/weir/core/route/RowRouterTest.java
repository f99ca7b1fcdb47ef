package io.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.List;

class RowRouterTest {
    private static final RowSchema SCHEMA = new RowSchema(
            List.of(
                    new Column(1, "id", "bigint", Types.LongType.get(), true, LossPolicy.FAIL),
                    new Column(
                            2,
                            "at",
                            "timestamp with time zone",
                            Types.TimestampType.withZone(),
                            false,
                            LossPolicy.FAIL),
                    new Column(3, "raw", "bytea", Types.BinaryType.get(), false, LossPolicy.FAIL)),
            List.of());

    private static final long DAY = 86_400_000_000L;

    @Test
    void numbersRoutesAsTheyComeUp() {
        RowRouter router = new RowRouter(PartitionBy.parse("day(at), bucket(2, id)"), SCHEMA);

        assertThat(router.number(new Object[] {0L, 1L})).isZero();
        assertThat(router.number(new Object[] {DAY - 1, 1L})).isZero();
        assertThat(router.number(new Object[] {DAY, 1L})).isEqualTo(1);
        assertThat(router.number(new Object[] {-1L, 1L})).isEqualTo(2);
        assertThat(router.number(new Object[] {null, 1L})).isEqualTo(3);
        assertThat(router.number(new Object[] {5L, 1L})).isZero();
        // Iceberg's hash of the long 1 is 1392991556, an even number.
        assertThat(router.routes())
                .containsExactly(
                        Route.of(0, 0), Route.of(1, 0), Route.of(-1, 0), Route.of(null, 0));
    }

    @Test
    void forgetsRoutesButNotHowToFindThem() {
        RowRouter router = new RowRouter(PartitionBy.parse("day(at)"), SCHEMA);
        router.number(new Object[] {0L});
        router.number(new Object[] {DAY});
        router.reset();

        assertThat(router.size()).isZero();
        assertThat(router.number(new Object[] {DAY})).isZero();
        assertThat(router.route(0)).isEqualTo(Route.of(1));
    }

    @Test
    void keepsBytesThatTheCallerUsesAgain() {
        RowRouter router = new RowRouter(PartitionBy.parse("raw"), SCHEMA);
        byte[] bytes = {1, 2};
        router.number(new Object[] {ByteBuffer.wrap(bytes)});
        bytes[0] = 9;

        assertThat(router.route(0)).isEqualTo(Route.of(ByteBuffer.wrap(new byte[] {1, 2})));
    }
}
