package io.weir.capture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.capture.Capture;
import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeStream;
import io.weir.capture.SlotSnapshot;
import io.weir.capture.StreamEvent;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.Sources;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/** A state of the database and a stream that begins exactly there. */
class HandOverTest {
    private final Tap tap = new Tap();

    @BeforeEach
    void create() {
        tap.database.execute(
                "create table k (id int primary key)", "insert into k values (1), (2)");
        tap.publish("public.k");
    }

    @AfterEach
    void close() {
        tap.close();
    }

    private long rowsAt(SlotSnapshot state, CaptureSpec spec) {
        try (Source source = Sources.open(tap.config());
                SourceSnapshot joined = source.joinSnapshot(state.token(), spec.tables(), 1)) {
            state.close();
            // What joined keeps the state, also once the session of the slot is gone.
            tap.database.execute("insert into k values (5)");
            Measure count = joined.expectation(spec.tables().get(0), List.of(MetricName.ROW_COUNT))
                    .get(0);
            return Long.parseLong(Objects.requireNonNull(count.value()));
        }
    }

    @Test
    void aRowIsInTheStateOrInTheStream() {
        CaptureSpec spec = tap.spec("public.k");
        Capture capture = tap.capture();
        SlotSnapshot state = capture.handOver(spec);
        tap.database.execute("insert into k values (3)");
        assertThat(rowsAt(state, spec)).isEqualTo(2);
        try (ChangeStream stream = tap.open(spec)) {
            Tap.Transaction third = Tap.transaction(stream);
            assertThat(third.changes())
                    .extracting(StreamEvent.Change::after)
                    .extracting(image -> Objects.requireNonNull(image).value(0))
                    .containsExactly(3);
            assertThat(third.commit().place()).isGreaterThan(state.place());
        }
        assertThatThrownBy(() -> capture.handOver(spec))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_BUSY));
        capture.dropSlot(spec);
        assertThat(capture.hasSlot(spec)).isFalse();
        capture.dropSlot(spec);
    }

    /** Everything before the place is in the state, everything behind it is in the stream. */
    @Test
    void aStateBesideAStreamHasAPlaceInIt() {
        CaptureSpec spec = tap.spec("public.k");
        Capture capture = tap.capture();
        capture.createSlot(spec);
        tap.database.execute("insert into k values (3)");
        SlotSnapshot state = capture.snapshot(spec);
        tap.database.execute("insert into k values (4)");
        assertThat(rowsAt(state, spec)).isEqualTo(3);
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(Tap.transaction(stream).commit().place()).isLessThanOrEqualTo(state.place());
            assertThat(Tap.transaction(stream).commit().place()).isGreaterThan(state.place());
        }
        assertThat(tap.database.text("select count(*) from pg_replication_slots"
                        + " where slot_name like 'weir\\_%' and temporary"))
                .isEqualTo("0");
    }
}
