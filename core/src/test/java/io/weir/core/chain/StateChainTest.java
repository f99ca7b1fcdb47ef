package io.weir.core.chain;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** The chain against a model that tries every row there may have been before the window. */
class StateChainTest {
    private static final UUID A = new UUID(0, 10);
    private static final UUID B = new UUID(0, 11);
    private static final UUID C = new UUID(0, 12);

    private record Step(
            long place, @Nullable UUID before, @Nullable UUID after) {}

    /** What one start leads to. */
    private record Run(@Nullable UUID start, List<@Nullable UUID> states) {}

    @Test
    void everyShortLogIsJudgedAsTheModelDoes() {
        List<@Nullable UUID> rows = new ArrayList<>();
        rows.add(null);
        rows.add(A);
        rows.add(B);
        int logs = 0;
        for (int length = 1; length <= 4; length++) {
            int choices = (int) Math.pow(18, length);
            for (int code = 0; code < choices; code++) {
                List<Step> log = new ArrayList<>();
                long place = 1;
                for (int i = 0, rest = code; i < length; i++, rest /= 18) {
                    place += rest % 2;
                    log.add(new Step(place, rows.get(rest / 2 % 3), rows.get(rest / 6 % 3)));
                }
                compare(log, List.of(A, B, C));
                logs++;
            }
        }
        assertThat(logs).isEqualTo(18 + 324 + 5_832 + 104_976);
    }

    @Test
    void longRandomLogsAreJudgedAsTheModelDoes() {
        Random random = new Random(7);
        List<UUID> rows = List.of(A, B, C);
        int sound = 0;
        for (int log = 0; log < 20_000; log++) {
            List<Step> steps = new ArrayList<>();
            long place = 1;
            UUID state = random.nextBoolean() ? A : null;
            for (int i = 0; i < 12; i++) {
                place += random.nextInt(2);
                UUID next = random.nextInt(4) == 0 ? null : rows.get(random.nextInt(3));
                boolean wrong = random.nextInt(30) == 0;
                steps.add(new Step(place, wrong ? rows.get(random.nextInt(3)) : state, next));
                state = next;
            }
            sound += compare(steps, rows) ? 1 : 0;
        }
        assertThat(sound).isBetween(10_000, 19_000);
    }

    /** Compares the two; true if the log is sound. */
    private static boolean compare(List<Step> log, List<UUID> rows) {
        List<Run> legal = new ArrayList<>();
        Run none = run(log, null);
        if (none != null) {
            legal.add(none);
        }
        for (UUID start : rows) {
            Run run = run(log, start);
            if (run != null) {
                legal.add(run);
            }
        }
        StateChain chain = new StateChain();
        for (int i = 0; i < log.size(); i++) {
            chain.change(
                    log.get(i).place(), i + 1, log.get(i).before(), log.get(i).after());
        }
        Chain found = chain.finish();
        if (legal.isEmpty()) {
            assertThat(chain.broken()).as("%s", log).isNotNull();
            return false;
        }
        assertThat(chain.broken()).as("%s", log).isNull();
        if (found.tellsStart()) {
            assertThat(legal).as("%s", log).hasSize(1);
            assertThat(found.start()).as("%s", log).isEqualTo(legal.get(0).start());
            List<@Nullable UUID> states = legal.get(0).states();
            assertThat(found.end()).as("%s", log).isEqualTo(states.get(states.size() - 1));
            assertThat(found.states()).as("%s", log).containsAll(states);
            assertThat(states).as("%s", log).containsAll(found.states());
            requireEnd(log, found);
        } else {
            assertThat(legal).as("%s", log).hasSize(rows.size() + 1);
        }
        return true;
    }

    /** The change that made the last row must have put it in. */
    private static void requireEnd(List<Step> log, Chain found) {
        if (found.end() != null && found.endPlace() > 0) {
            Step last = log.get((int) found.endOrdinal() - 1);
            assertThat(last.after()).isEqualTo(found.end());
            assertThat(last.place()).isEqualTo(found.endPlace());
        }
    }

    private static @Nullable Run run(List<Step> log, @Nullable UUID start) {
        List<UUID> rows = new ArrayList<>();
        List<@Nullable UUID> states = new ArrayList<>();
        states.add(start);
        if (start != null) {
            rows.add(start);
        }
        for (int i = 0; i < log.size(); i++) {
            Step step = log.get(i);
            if (step.before() != null && !rows.remove(step.before())) {
                return null;
            }
            if (step.after() != null) {
                rows.add(step.after());
            }
            boolean commit = i + 1 == log.size() || log.get(i + 1).place() > step.place();
            if (commit) {
                if (rows.size() > 1) {
                    return null;
                }
                states.add(rows.isEmpty() ? null : rows.get(0));
            }
        }
        return new Run(start, states);
    }

    @Test
    void lostChangeIsNamed() {
        StateChain chain = new StateChain();
        chain.change(1, 1, null, A);
        chain.change(2, 4, B, C);
        chain.finish();
        assertThat(chain.broken()).isEqualTo(new Break(Break.Kind.ROW_MISSING, 2, 4, B, A));
    }

    @Test
    void rowsMayPassEachOtherWithinATransaction() {
        StateChain chain = new StateChain();
        chain.change(1, 1, null, A);
        chain.change(1, 2, B, null);
        Chain found = chain.finish();
        assertThat(chain.broken()).isNull();
        assertThat(found.states()).containsExactly(B, A);
        assertThat(found.endOrdinal()).isEqualTo(1);
    }

    @Test
    void twoRowsAtTheEndOfATransactionAreABreak() {
        StateChain chain = new StateChain();
        chain.change(5, 1, null, A);
        chain.change(5, 2, null, B);
        chain.finish();
        assertThat(chain.broken()).isEqualTo(new Break(Break.Kind.TWO_ROWS, 5, 0, A, B));
        chain.reset();
        chain.change(6, 1, A, A);
        assertThat(chain.finish().isUnchanged()).isTrue();
    }
}
