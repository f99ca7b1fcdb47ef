package io.weir.ledger.books;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Goal: calls that meet go together, each gets its own answer. Method: a lane held by a latch. */
class BundlesTest {
    private static final int SECONDS_MAX = 60;

    private final List<List<String>> carried = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final Bundles<String, String> bundles =
            new Bundles<>(this::carry, call -> 1, false, 1, 0);

    /** Waits with what is named so; answers all but what is named so, or throws. */
    private List<Optional<String>> carry(List<String> calls) {
        carried.add(calls);
        if (calls.contains("wait")) {
            begun.countDown();
            await(go);
        }
        if (calls.contains("broken")) {
            throw new WeirException(ErrorCode.LEDGER_INVARIANT, "Cannot carry: broken");
        }
        return calls.stream()
                .map(call -> Optional.of("done " + call).filter(text -> !call.equals("odd")))
                .toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCallThatFindsAFreeLaneGoesAtOnce() {
        assertThat(bundles.call("a")).contains("done a");
        assertThat(bundles.call("odd")).isEmpty();
        assertThat(carried).containsExactly(List.of("a"), List.of("odd"));
    }

    @Test
    void callsThatMeetGoTogetherAndEachGetsItsAnswer() throws Exception {
        List<Optional<String>> answers = meet("a", "odd", "b");

        assertThat(answers)
                .containsExactlyInAnyOrder(
                        Optional.of("done a"), Optional.empty(), Optional.of("done b"));
        assertThat(carried).hasSize(2);
        assertThat(carried.get(1)).containsExactlyInAnyOrder("a", "odd", "b");
        assertThat(bundles.call("later")).contains("done later");
    }

    @Test
    void aBundleThatFailsLeavesEachCallToItsThread() throws Exception {
        assertThat(meet("a", "broken", "b"))
                .containsExactly(Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(bundles.call("later")).contains("done later");
    }

    @Test
    void aBundleOfOneFateGivesItsFailureToEachCall() throws Exception {
        Bundles<String, String> fate = new Bundles<>(this::carry, call -> 1, true, 1, 0);
        Optional<String> failure = Optional.of("Cannot carry: broken");

        assertThat(meet(fate, "a", "broken", "b")).containsExactly(failure, failure, failure);
        assertThat(fate.call("later")).contains("done later");
        assertThat(carried).hasSize(3);
    }

    @Test
    void whoHadCompanyWaitsForIt() throws Exception {
        Bundles<String, String> patient = new Bundles<>(
                this::carry, call -> 1, false, 1, TimeUnit.SECONDS.toNanos(SECONDS_MAX));
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Optional<String>> busy = threads.submit(() -> patient.call("wait"));
            await(begun);
            Future<Optional<String>> first = threads.submit(() -> patient.call("first"));
            awaitWaiting(patient, 1);
            go.countDown();
            assertThat(busy.get(SECONDS_MAX, TimeUnit.SECONDS)).contains("done wait");

            assertThat(patient.call("second")).contains("done second");
            assertThat(first.get(SECONDS_MAX, TimeUnit.SECONDS)).contains("done first");
        } finally {
            threads.shutdownNow();
        }
        assertThat(carried).containsExactly(List.of("wait"), List.of("first", "second"));
    }

    @Test
    @Timeout(SECONDS_MAX)
    void aCallOutOfABundleDoesNotWaitForIt() {
        List<Bundles<String, String>> nested = new ArrayList<>();
        nested.add(new Bundles<>(
                calls -> calls.stream()
                        .map(call -> call.equals("outer")
                                ? nested.get(0).call("inner").map(inner -> call + " " + inner)
                                : Optional.of("done " + call))
                        .toList(),
                call -> 1,
                false,
                1,
                0));

        assertThat(nested.get(0).call("outer")).contains("outer done inner");
        assertThat(nested.get(0).call("later")).contains("done later");
    }

    @Test
    void companyThatStaysAwayIsNotWaitedForLong() throws Exception {
        Bundles<String, String> brief = new Bundles<>(this::carry, call -> 1, false, 1, 1);
        meet(brief, "a", "b", "c", "d");

        assertThat(brief.call("later")).contains("done later");
        assertThat(carried.get(carried.size() - 1)).containsExactly("later");
    }

    private List<Optional<String>> meet(String... calls) throws Exception {
        return meet(bundles, calls);
    }

    private static Optional<String> answer(Bundles<String, String> bundles, String call) {
        try {
            return bundles.call(call);
        } catch (WeirException e) {
            return Optional.of(e.text());
        }
    }

    private static void awaitWaiting(Bundles<String, String> bundles, int calls) {
        while (bundles.waiting() < calls) {
            Thread.onSpinWait();
        }
    }

    /** Lets calls wait for a busy lane, then lets them go. */
    private List<Optional<String>> meet(Bundles<String, String> bundles, String... calls)
            throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Optional<String>> busy = threads.submit(() -> bundles.call("wait"));
            await(begun);
            List<Future<Optional<String>>> met = new ArrayList<>();
            for (String call : calls) {
                met.add(threads.submit(() -> answer(bundles, call)));
            }
            awaitWaiting(bundles, calls.length);
            go.countDown();
            assertThat(busy.get(SECONDS_MAX, TimeUnit.SECONDS)).contains("done wait");
            List<Optional<String>> answers = new ArrayList<>();
            for (Future<Optional<String>> call : met) {
                answers.add(call.get(SECONDS_MAX, TimeUnit.SECONDS));
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }
}
