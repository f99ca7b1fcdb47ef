package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Streams made byte by byte, because a server only ever sends good ones. */
class CopyTuplesTest {
    private static final WireType[] TYPES = {WireType.INT4, WireType.TEXT};
    private static final String BROKEN =
            "Cannot read table public.t: the stream of rows is broken, ";

    @FunctionalInterface
    private interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writer writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writer.write(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void header(DataOutputStream out) throws IOException {
        out.write("PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1));
        out.writeInt(0);
        out.writeInt(0);
    }

    private static void row(DataOutputStream out, int id, @Nullable String text)
            throws IOException {
        out.writeShort(2);
        out.writeInt(4);
        out.writeInt(id);
        if (text == null) {
            out.writeInt(-1);
            return;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static byte[] stream() {
        return bytes(out -> {
            header(out);
            row(out, 1, "one");
            row(out, 2, null);
            row(out, 3, "");
            out.writeShort(-1);
        });
    }

    private static CopyTuples tuples(long rowsSent, byte[]... messages) {
        Deque<byte[]> queue = new ArrayDeque<>(List.of(messages));
        CopyMessages source = new CopyMessages() {
            @Override
            public byte @Nullable [] next() {
                return queue.poll();
            }

            @Override
            public long rowsSent() {
                return rowsSent;
            }
        };
        return new CopyTuples(source, Activity.of("read table public.t"), TYPES);
    }

    private static List<String> rows(CopyTuples tuples) {
        List<String> rows = new ArrayList<>();
        while (tuples.next()) {
            int id = Wire.intAt(tuples.buffer(), tuples.offsets()[0]);
            int length = tuples.lengths()[1];
            String text = length < 0
                    ? "NULL"
                    : new String(
                            tuples.buffer(), tuples.offsets()[1], length, StandardCharsets.UTF_8);
            rows.add(id + "=" + text + "/" + tuples.tupleBytes());
        }
        return rows;
    }

    private static void assertBroken(CopyTuples tuples, String reason) {
        assertThatThrownBy(() -> rows(tuples))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code())
                                .isEqualTo(ErrorCode.SOURCE_CONNECTION_LOST))
                .hasMessage(BROKEN + reason);
        assertThat(tuples.isEnded()).isFalse();
    }

    @Test
    void readsTheSameRowsHoweverTheStreamIsCut() {
        byte[] stream = stream();
        for (int size = 1; size <= stream.length; size++) {
            List<byte[]> messages = new ArrayList<>();
            for (int at = 0; at < stream.length; at += size) {
                messages.add(Arrays.copyOfRange(stream, at, Math.min(stream.length, at + size)));
                messages.add(new byte[0]);
            }
            CopyTuples tuples = tuples(3, messages.toArray(byte[][]::new));
            assertThat(rows(tuples)).containsExactly("1=one/17", "2=NULL/14", "3=/14");
            assertThat(tuples.isEnded()).isTrue();
            assertThat(tuples.hasNext()).isFalse();
        }
    }

    @Test
    void neverTakesABrokenOffStreamForAShortTable() {
        byte[] stream = stream();
        for (int length = 0; length < stream.length; length++) {
            CopyTuples tuples = tuples(3, Arrays.copyOf(stream, length));
            assertThatThrownBy(() -> rows(tuples))
                    .isInstanceOf(WeirException.class)
                    .hasMessageContaining("it ended before its trailer");
        }
    }

    @Test
    void refusesAnotherSignature() {
        byte[] stream = stream();
        stream[3] = 'X';
        assertBroken(
                tuples(3, stream),
                "it does not start with the signature of a binary COPY (rows=0)");
    }

    @Test
    void refusesFlagsThatChangeTheFormat() {
        byte[] stream = stream();
        stream[12] = 1;
        assertBroken(tuples(3, stream), "it has flags that are not known (flags=65536) (rows=0)");
    }

    @Test
    void skipsAnExtensionOfTheHeader() {
        byte[] stream = bytes(out -> {
            out.write("PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1));
            out.writeInt(0);
            out.writeInt(3);
            out.write(new byte[3]);
            row(out, 7, "x");
            out.writeShort(-1);
        });
        assertThat(rows(tuples(1, stream))).containsExactly("7=x/15");
    }

    @Test
    void refusesAnotherNumberOfFields() {
        byte[] stream = bytes(out -> {
            header(out);
            out.writeShort(3);
        });
        assertBroken(
                tuples(1, stream),
                "a row has another number of fields (expected=2, found=3) (rows=0)");
    }

    @Test
    void refusesAValueOfAnotherSize() {
        byte[] stream = bytes(out -> {
            header(out);
            out.writeShort(2);
            out.writeInt(8);
            out.writeLong(1);
        });
        assertBroken(
                tuples(1, stream),
                "a value has another size (field=1, type=INT4, bytes=8) (rows=0)");
    }

    @Test
    void refusesBytesAfterTheTrailer() {
        assertBroken(tuples(3, stream(), new byte[1]), "there are bytes after its end (rows=3)");
    }

    @Test
    void refusesWhatTheServerCountedOtherwise() {
        assertBroken(
                tuples(4, stream()),
                "the server counted other rows than arrived (sent=4, received=3) (rows=3)");
    }
}
