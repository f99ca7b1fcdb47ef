package io.weir.ingest.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A stream never needs more memory than one record may. */
class RecordStreamTest {
    private static final Framing CSV = StrictDelimitedInputWriter.newBuilder()
            .withFieldDelimiter(',')
            .build()
            .framing();

    private static RecordStream of(String text, int most) {
        return new RecordStream(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), CSV, most);
    }

    @Test
    void aQuoteThatNobodyClosesEndsTheStreamAtItsLine() throws IOException {
        RecordStream stream = of("1,a\n2,\"b\n" + "3,c\n".repeat(100_000), 100_000);

        assertThat(stream.next()).isTrue();
        assertThat(stream.length()).isEqualTo(3);
        assertThatThrownBy(stream::next)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the record that begins in line 2 does not end; are its"
                        + " quotes closed? (bytes=")
                .hasMessageEndingWith(", most=100000)");
    }

    @Test
    void theLimitIsForOneRecordAndNotForTheStream() throws IOException {
        RecordStream stream = of("1,\"b\n\"\n".repeat(100_000), 100_000);
        int records = 0;
        while (stream.next()) {
            records++;
        }

        assertThat(records).isEqualTo(100_000);
        assertThat(stream.line()).isEqualTo(199_999);
    }
}
