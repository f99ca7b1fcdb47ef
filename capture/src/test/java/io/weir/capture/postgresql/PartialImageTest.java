package io.weir.capture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeStream;
import io.weir.capture.RowImage;
import io.weir.capture.StreamEvent;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** Tables without full identity: what the log does not tell is missing, not NULL. */
class PartialImageTest {
    private static final String BIG = "repeat(md5('x'), 1000)";

    private final Tap tap = new Tap();
    private final CaptureSpec spec = tap.spec(CaptureSpec.Identity.KEY, "public.p");

    @AfterEach
    void dropSlot() {
        tap.close();
    }

    private void create(String columns) {
        tap.database.execute(
                "create table p (id int primary key, " + columns + ")",
                "create publication " + Tap.PUBLICATION + " for table p");
        tap.capture().createSlot(spec);
    }

    private static List<@Nullable Object> row(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    /** B59, B64: what was not sent is missing, not NULL, and the image has no digest. */
    @Test
    void withoutFullIdentityImagesAreKnownToBePartial() {
        create("v text, n int");
        tap.database.execute(
                "alter table p alter v set storage external",
                "insert into p values (1, " + BIG + ", null)",
                "update p set n = 4",
                "update p set v = E'\\\\x00' where id = 1",
                "delete from p");
        try (ChangeStream stream = tap.open(spec)) {
            Tap.transaction(stream);
            StreamEvent.Change first = Tap.transaction(stream).changes().get(0);
            assertThat(first.before()).isNull();
            RowImage after = Objects.requireNonNull(first.after());
            assertThat(after.values()).isEqualTo(row(1, null, 4));
            assertThat(after.isMissing(1)).isTrue();
            assertThat(after.isComplete()).isFalse();
            StreamEvent.Change second = Tap.transaction(stream).changes().get(0);
            assertThat(Objects.requireNonNull(second.after()).isComplete()).isTrue();
            RowImage gone = Objects.requireNonNull(
                    Tap.transaction(stream).changes().get(0).before());
            assertThat(gone.values()).isEqualTo(row(1, null, null));
            assertThat(gone.isMissing(0)).isFalse();
            assertThat(gone.isMissing(1) && gone.isMissing(2)).isTrue();
        }
    }

    /** B54: also where the big value is no text. */
    @Test
    void bigBytesAndDocumentsThatWereNotSentAreMissing() {
        create("n int, b bytea, j jsonb");
        tap.database.execute(
                "alter table p alter b set storage external, alter j set storage external",
                "insert into p values (1, 1, decode(repeat('ab', 20000), 'hex')," + " to_jsonb("
                        + BIG + "))",
                "update p set n = 4",
                "update p set b = decode('" + HexFormat.of().formatHex(placeholder())
                        + "', 'hex')");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(after(stream).isComplete()).isTrue();
            RowImage update = after(stream);
            assertThat(update.values()).isEqualTo(row(1, 4, null, null));
            assertThat(update.isMissing(2) && update.isMissing(3)).isTrue();
            RowImage lookalike = after(stream);
            assertThat(lookalike.value(2)).isEqualTo(placeholder());
            assertThat(lookalike.isMissing(2)).isFalse();
        }
    }

    private static byte[] placeholder() {
        return DebeziumSettings.UNAVAILABLE.getBytes(StandardCharsets.UTF_8);
    }

    private static RowImage after(ChangeStream stream) {
        return Objects.requireNonNull(Tap.transaction(stream).changes().get(0).after());
    }
}
