package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.run.Event;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.source.Source;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Calls of the ledger that are repeated, with the same content and with another. */
class ReportTest {
    private static final LoadJob ORDERS = LoadHouse.job("orders", PublishMode.APPEND);

    @TempDir
    Path directory;

    private LoadHouse house;

    @BeforeEach
    void open() {
        house = new LoadHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2))",
                "insert into orders select n, n from generate_series(1, 3000) as n");
    }

    @AfterEach
    void close() {
        house.close();
    }

    private RunDetail load(Ledger ledger, HookedSource.Hook hook) {
        try (Source source = new HookedSource(house.source(), hook)) {
            return house.flow(ledger, LoadHouse.SETTINGS)
                    .load(source, List.of(ORDERS), "monday", LoadHouse.SILENT)
                    .get(0);
        }
    }

    private Run run() {
        return house.ledger.runs(new RunFilter("orders", false, 1)).get(0);
    }

    // F1 F5 F6 F11
    @Test
    void aReplyOfEveryKindMayBeLostAndNothingHappensTwice() {
        LossyLedger lossy = new LossyLedger();

        RunDetail detail = load(lossy.losingFirstReplies(house.ledger), new HookedSource.Hook() {});

        assertThat(lossy.lost())
                .contains(
                        "createRun",
                        "registerManifest",
                        "claimNext",
                        "reportChunks",
                        "startStep",
                        "openAttempt",
                        "recordStaged",
                        "recordFiles",
                        "recordMetrics",
                        "stageValidated",
                        "claimPublish",
                        "publishResult",
                        "succeed");
        assertThat(detail.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(detail.partitions()).extracting(Partition::epoch).containsOnly(1L);
        assertThat(detail.attempts()).hasSize(1);
        assertThat(house.ledger.runs(new RunFilter("orders", false, 10))).hasSize(1);
        assertThat(house.ledger.events(run().id()))
                .extracting(Event::name)
                .containsOnlyOnce("RUN_CREATED", "RUN_EXTRACTED", "PUBLISH_STARTED");
        assertThat(house.rows("sales.orders")).isEqualTo("3000");
    }

    /** Another file was reported for the first chunk, under the worker's own claim. */
    private final class Contradiction implements HookedSource.Hook {
        private final AtomicReference<KeyRange> chosen = new AtomicReference<>();

        @Override
        public void chunk(KeyRange range, int index) {
            if (index == 0 && chosen.compareAndSet(null, range)) {
                Partition mine = house.ledger.detail(run().id()).partitions().stream()
                        .filter(partition -> partition.range().equals(range))
                        .findFirst()
                        .orElseThrow();
                Claim claim = new Claim(
                        mine.runId(),
                        mine.id(),
                        Objects.requireNonNull(mine.token()),
                        mine.epoch());
                house.ledger.reportChunks(
                        claim,
                        List.of(new ChunkReport(0, 10, new Balance(1, 1, 1), List.of(), false)));
            }
        }
    }

    // F7
    @Test
    void aRefusedReportFailsItsRunWithinTwoSeconds() {
        AtomicReference<Instant> refused = new AtomicReference<>();
        Ledger watched = LossyLedger.watched(house.ledger, (call, refusal) -> {
            if (call.equals("reportChunks")) {
                assertThat(refusal.code()).isEqualTo(ErrorCode.CHUNK_CONFLICT);
                refused.compareAndSet(null, house.ledger.detail(run().id()).now());
            }
        });

        assertThatThrownBy(() -> load(watched, new Contradiction()))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CHUNK_CONFLICT));

        assertThat(run().state()).isEqualTo(RunState.FAILED_EXTRACT);
        Event failed = house.ledger.events(run().id()).stream()
                .filter(event -> event.name().equals("RUN_FAILED"))
                .findFirst()
                .orElseThrow();
        assertThat(failed.at())
                .isBefore(Objects.requireNonNull(refused.get(), "refused").plusSeconds(2));
        assertThat(house.rows("sales.orders")).isEqualTo("0");
        assertThat(house.load(ORDERS, "monday").run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(house.rows("sales.orders")).isEqualTo("3000");
    }
}
