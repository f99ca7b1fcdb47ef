package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.CreateRun;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Event;
import io.weir.core.run.Operator;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

/** Two who want different things of one run in the same moment, or one who comes too late. */
class RivalsTest {
    private static final OwnBooks BOOKS = OwnBooks.open();
    private static final Operator ANN = new Operator("ann", "wrong day");

    @AfterAll
    static void close() {
        BOOKS.close();
    }

    private static List<String> events(RunScript script) {
        return BOOKS.ledger.events(script.id).stream().map(Event::name).toList();
    }

    // F44 F28
    @Test
    void fiftyCreatesOfOneRequestMakeOneRun() throws Exception {
        CreateRun request = RunScript.request("fifty-" + UUID.randomUUID());
        List<Callable<RunId>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            calls.add(() -> BOOKS.ledger.createRun(request).id());
        }

        assertThat(AtOnce.call(calls).stream().distinct()).hasSize(1);
        assertThat(BOOKS.texts("select id::text from weir.run where job = ?", request.job()))
                .hasSize(1);
    }

    // F44 F28
    @Test
    void fiftyCreatesUnderDifferentKeysMakeOneRun() throws Exception {
        String job = "fifty-" + UUID.randomUUID();
        List<Callable<String>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            CreateRun request = RunScript.request(job);
            calls.add(() -> {
                try {
                    return BOOKS.ledger.createRun(request).state().name();
                } catch (WeirException e) {
                    return e.code().name();
                }
            });
        }

        List<String> outcomes = AtOnce.call(calls);

        assertThat(outcomes).filteredOn("CREATED"::equals).hasSize(1);
        assertThat(outcomes).filteredOn("DUPLICATE_ACTIVE_RUN"::equals).hasSize(49);
        assertThat(BOOKS.texts("select id::text from weir.run where job = ?", job))
                .hasSize(1);
    }

    // F50
    @Test
    void aCancelBesideAReissueEndsTheRunForGood() throws Exception {
        for (int round = 0; round < 10; round++) {
            RunScript script = BOOKS.created().register(3).hold();
            script.claim();
            BOOKS.endClaims(script);
            BOOKS.endSweeper();

            AtOnce.<Object>call(List.of(
                    BOOKS.ledger::sweep,
                    () -> BOOKS.ledger.cancelRun(script.id, RunState.EXTRACTING, ANN)));

            assertThat(script.run().state()).isEqualTo(RunState.CANCELLED);
            assertThat(BOOKS.ledger.detail(script.id).partitions())
                    .extracting(Partition::state)
                    .containsOnly(PartitionState.TIMED_OUT);
            assertThat(BOOKS.sweep(script)).isEmpty();
            assertThat(BOOKS.ledger.claimNext(script.id, UUID.randomUUID(), "w"))
                    .isEmpty();
        }
    }

    // F48
    @Test
    void ofManySweepersOneRecordsALossOnce() throws Exception {
        RunScript script = BOOKS.created().register(1).hold();
        script.claim();
        BOOKS.endClaims(script);
        BOOKS.endSweeper();
        List<Callable<Object>> sweeps = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            sweeps.add(BOOKS.process(OwnBooks.SETTINGS)::sweep);
        }

        AtOnce.call(sweeps);

        assertThat(events(script)).containsOnlyOnce("PARTITION_REISSUED");
    }

    // F20
    @Test
    void allLeasesThatEndAtOnceAreReissuedOnceEach() {
        RunScript script = BOOKS.created().register(5).hold();
        for (int i = 0; i < 5; i++) {
            script.claim();
        }
        BOOKS.endClaims(script);
        BOOKS.endSweeper();

        assertThat(BOOKS.sweep(script)).hasSize(5).containsOnly("partition_reissued");
        script.extract();

        assertThat(BOOKS.ledger.detail(script.id).partitions())
                .extracting(Partition::epoch)
                .containsOnly(2L);
    }

    // F49
    @Test
    void aCancelByAnOldViewDoesNothingAndNamesTheStateOfNow() {
        RunScript script = BOOKS.extracted();
        int before = events(script).size();

        assertThatThrownBy(() -> BOOKS.ledger.cancelRun(script.id, RunState.EXTRACTING, ANN))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.RUN_STATE_MISMATCH))
                .hasMessageContaining("EXTRACTED_VALIDATED");

        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertThat(events(script)).hasSize(before);
    }

    // F16
    @Test
    void aStepThatWasAskedForBeforeTheCancelStartsNothing() {
        RunScript script = BOOKS.extracted();
        Dispatch late = script.open(Dispatch.Kind.VALIDATE_RUN);
        BOOKS.ledger.cancelRun(script.id, RunState.EXTRACTED_VALIDATED, ANN);

        assertThat(BOOKS.ledger.startStep(script.id, late.id(), "late")).isFalse();

        assertThat(script.run().state()).isEqualTo(RunState.CANCELLED);
    }

    // F9
    @Test
    void reportsThatDisagreeOnTheLastChunkAreRefused() {
        RunScript script = BOOKS.created().register(1);
        var order = script.claim();
        BOOKS.ledger.reportChunks(order.claim(), List.of(RunScript.chunk(1, 5, true)));

        assertThatThrownBy(() -> BOOKS.ledger.reportChunks(
                        order.claim(), List.of(RunScript.chunk(2, 5, true))))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CHUNK_CONFLICT));

        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTING);
    }

    // F47
    @Test
    void aSweeperThatJustStartedDeclaresNothingLost() {
        RunScript script = BOOKS.created().register(1).hold();
        script.claim();
        BOOKS.endClaims(script);
        BOOKS.endSweeper();
        BookLedger restarted = BOOKS.process(OwnBooks.SETTINGS.withGrace(Duration.ofMinutes(5)));

        assertThat(restarted.sweep().actions()).isEmpty();

        assertThat(events(script)).doesNotContain("PARTITION_REISSUED");
    }
}
