package io.weir.ingest.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Rows are put where they are kept, so the room that they take must be known before. */
class RowBytesTest {
    private static final long SEED = 99;
    private static final int ROUNDS = 5_000;
    private static final int DECIMAL_BITS_MAX = 126;
    private static final RowSchema SCHEMA = new RowSchema(
            List.of(
                    column(9, "number", Types.LongType.get(), false),
                    column(2, "flag", Types.BooleanType.get(), false),
                    column(7, "text", Types.StringType.get(), false),
                    column(4, "octets", Types.BinaryType.get(), false),
                    column(5, "ratio", Types.DoubleType.get(), false),
                    column(6, "small", Types.DecimalType.of(18, 4), false),
                    column(3, "wide", Types.DecimalType.of(38, 4), false),
                    column(8, "name", Types.UUIDType.get(), false)),
            List.of());

    private static Column column(int id, String name, Type type, boolean required) {
        return new Column(id, name, type.toString(), type, required, LossPolicy.FAIL);
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Row fill(Row row, Random random) {
        row.reset();
        List<Runnable> setters = new ArrayList<>(List.of(
                () -> row.setLong(0, random.nextLong()),
                () -> row.setLong(1, random.nextInt(2)),
                () -> {
                    byte[] text = bytes(random);
                    row.setBytes(2, text, 0, text.length);
                },
                () -> {
                    byte[] octets = bytes(random);
                    row.setBytes(3, octets, octets.length / 2, octets.length / 2);
                },
                () -> row.setDouble(4, random.nextDouble()),
                () -> row.setDecimal(5, random.nextLong() >> random.nextInt(Long.SIZE), 4),
                () -> row.setDecimal(6, new BigDecimal(wide(random), 4)),
                () -> row.setUuid(7, random.nextLong(), random.nextLong())));
        for (int slot = 0; slot < setters.size(); slot++) {
            switch (random.nextInt(4)) {
                case 0 -> row.setNull(slot);
                case 1 -> {}
                default -> setters.get(slot).run();
            }
        }
        return row;
    }

    private static BigInteger wide(Random random) {
        BigInteger value = new BigInteger(random.nextInt(DECIMAL_BITS_MAX), random);
        return random.nextBoolean() ? value.negate() : value;
    }

    @Test
    void noRowIsLongerThanItSays() throws Exception {
        Random random = new Random(SEED);
        Row row = new Row(SCHEMA, false);
        CanonicalRow canonical = new CanonicalRow();
        for (int round = 0; round < ROUNDS; round++) {
            int most = fill(row, random).bytesMost();
            byte[] room = new byte[most];
            canonical.resetInto(room, 0);
            row.encode(canonical);
            assertThat(canonical.length()).isLessThanOrEqualTo(most);
            assertThat(canonical.buffer()).isSameAs(room);
        }
    }

    @Test
    void rowsStandInTheirBufferAsTheyDoAlone() throws Exception {
        Random random = new Random(SEED);
        Row row = new Row(SCHEMA, false);
        RoutedRows rows = new RoutedRows(SCHEMA, PartitionBy.NOTHING);
        CanonicalRow canonical = new CanonicalRow();
        List<byte[]> alone = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            rows.add(fill(row, random));
            canonical.reset();
            row.encode(canonical);
            alone.add(canonical.bytes());
        }
        RowChunk chunk = rows.last().lend();
        ByteBuffer kept = ByteBuffer.wrap(chunk.bytes(), 0, chunk.length());
        for (byte[] expected : alone) {
            byte[] found = new byte[kept.getInt()];
            kept.get(found);
            assertThat(found).isEqualTo(expected);
        }
        assertThat(kept.hasRemaining()).isFalse();
        assertThat(chunk.rows()).isEqualTo(ROUNDS);
    }

    /** A row that is not whole opens no partition either. */
    @Test
    void aRowWithoutARequiredValueLeavesNothing() throws Exception {
        RowSchema schema = new RowSchema(
                List.of(
                        column(1, "id", Types.LongType.get(), true),
                        column(2, "part", Types.StringType.get(), false)),
                List.of());
        RoutedRows rows = new RoutedRows(schema, PartitionBy.parse("part"));
        Row row = new Row(schema, false);
        byte[] part = {(byte) 0x61};
        row.setBytes(1, part, 0, part.length);

        assertThatThrownBy(() -> rows.add(row))
                .isInstanceOfSatisfying(
                        RecordException.class, e -> assertThat(e.column()).isEqualTo("id"))
                .hasMessage("the column is required, there is no value");
        assertThat(rows.buffers()).isEmpty();
        assertThat(rows.memory()).isZero();
        row.setLong(0, 5);
        rows.add(row);
        assertThat(rows.last().rows()).isEqualTo(1);
    }
}
