package io.weir.app.chaos;

import io.weir.testkit.proxy.Direction;
import io.weir.testkit.proxy.Ending;
import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Latency;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Kills, pauses and cuts, one after the other, from a seed: the same seed gives the same blows in
 * the same order. Each kind is dealt before any comes again, so that a minute sees them all.
 */
final class Nemesis {
    private static final int PAUSE_MIN_MS = 300;
    private static final int PAUSE_MAX_MS = 2_000;
    private static final int HOLD_MIN_MS = 500;
    private static final int HOLD_MAX_MS = 3_000;

    private final House house;
    private final Crew crew;
    private final Random random;
    private final List<Kind> deck = new ArrayList<>();
    private final List<Blow> dealt = Collections.synchronizedList(new ArrayList<>());

    /** What can happen. */
    enum Kind {
        KILL_COORDINATOR,
        KILL_WORKER,
        PAUSE_COORDINATOR,
        PAUSE_WORKER,
        CUT,
        LOSE_COMMIT_REPLY,
        DELAY,
        BLACK_HOLE,
        REFUSE,
        KILL_LEDGER,
        REST
    }

    /**
     * One blow.
     *
     * @param before quiet before it
     * @param hold how long it lasts, where it lasts
     * @param whom chooses among equals
     */
    record Blow(Kind kind, Duration before, Duration hold, int whom) {}

    Nemesis(House house, Crew crew, long seed) {
        this.house = house;
        this.crew = crew;
        this.random = new Random(seed);
    }

    /** The blows so far. */
    List<Blow> dealt() {
        synchronized (dealt) {
            return List.copyOf(dealt);
        }
    }

    /** How many of each kind so far. */
    Map<Kind, Long> tally() {
        return dealt().stream()
                .collect(Collectors.groupingBy(Blow::kind, TreeMap::new, Collectors.counting()));
    }

    void rage(Clock clock) {
        Blow blow = next();
        while (!clock.await(blow.before())) {
            dealt.add(blow);
            strike(blow, clock);
            heal();
            blow = next();
        }
    }

    private Blow next() {
        if (deck.isEmpty()) {
            deck.addAll(List.of(Kind.values()));
            // Deaths in the middle of work are what a ledger is for.
            deck.add(Kind.KILL_COORDINATOR);
            deck.add(Kind.KILL_WORKER);
            Collections.shuffle(deck, random);
        }
        return new Blow(
                deck.remove(deck.size() - 1),
                between(PAUSE_MIN_MS, PAUSE_MAX_MS),
                between(HOLD_MIN_MS, HOLD_MAX_MS),
                random.nextInt(1_000));
    }

    private Duration between(int least, int most) {
        return Duration.ofMillis(least + random.nextInt(most - least));
    }

    private void strike(Blow blow, Clock clock) {
        FaultProxy proxy = house.proxy();
        int whom = blow.whom();
        switch (blow.kind()) {
            case KILL_COORDINATOR -> kill(crew.coordinator(whom % Crew.COORDINATORS));
            case KILL_WORKER -> kill(crew.worker(whom % Crew.WORKERS));
            case PAUSE_COORDINATOR ->
                pause(crew.coordinator(whom % Crew.COORDINATORS), blow, clock);
            case PAUSE_WORKER -> pause(crew.worker(whom % Crew.WORKERS), blow, clock);
            case CUT -> proxy.cutAll(whom % 2 == 0 ? Ending.RESET : Ending.CLOSE);
            case LOSE_COMMIT_REPLY -> {
                proxy.onCommit(Fault.CUT_AFTER);
                proxy.onCommit(Fault.CUT_BEFORE);
                clock.await(blow.hold());
            }
            case DELAY -> {
                proxy.delay(new Latency(Duration.ofMillis(5), Duration.ofMillis(60), 0, whom));
                clock.await(blow.hold());
            }
            case BLACK_HOLE -> {
                proxy.blackHole(whom % 2 == 0 ? Direction.UP : Direction.DOWN);
                clock.await(blow.hold());
                // What lost bytes stays lost; clients would find out after their socket timeout.
                proxy.cutAll(Ending.RESET);
            }
            case REFUSE -> {
                proxy.refuse();
                proxy.cutAll(Ending.RESET);
                clock.await(blow.hold());
            }
            case KILL_LEDGER -> {
                house.killLedger();
                clock.await(blow.hold());
                house.startLedger();
            }
            case REST -> clock.await(blow.hold());
        }
    }

    private static void kill(@Nullable Client client) {
        if (client != null) {
            client.kill();
        }
    }

    /** Longer than its lease: when it wakes, others have its work. */
    private static void pause(@Nullable Client client, Blow blow, Clock clock) {
        if (client != null) {
            client.pause();
            try {
                clock.await(House.LEASE.multipliedBy(3).dividedBy(2).plus(blow.hold()));
            } finally {
                client.resume();
            }
        }
    }

    private void heal() {
        house.proxy().pass();
        house.proxy().startOver();
    }
}
