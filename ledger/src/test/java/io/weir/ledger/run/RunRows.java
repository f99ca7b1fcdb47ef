package io.weir.ledger.run;

import io.weir.core.ledger.ReadOptions;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.run.Consistency;
import io.weir.core.run.Cut;
import io.weir.core.run.Failure;
import io.weir.core.run.Loss;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Rows of runs in every state, and the times that matter to them. */
final class RunRows {
    static final Instant START = Instant.parse("2026-11-29T10:00:00Z");
    static final Duration LEASE = Duration.ofMinutes(2);
    static final Duration TIMEOUT = Duration.ofHours(6);
    static final Instant ALIVE = START.plusSeconds(60);
    static final Instant LATE = START.plusSeconds(121);
    static final Instant OVER = START.plus(TIMEOUT);
    static final Balance TEN = new Balance(10, 1, 2);
    static final Failure FAILURE = new Failure("EXTRACT", "SOURCE_LOCKED", "locked");
    static final String OWNER = "me";

    private RunRows() {}

    /** A state, and whether somebody does its step where both can be. */
    record Place(RunState state, boolean owned) {
        static Place of(RunRow row) {
            RunState state = row.run().state();
            return new Place(state, isOpen(state) && row.run().owner() != null);
        }

        static List<Place> all() {
            List<Place> places = new ArrayList<>();
            for (RunState state : RunState.values()) {
                places.add(new Place(state, false));
                if (isOpen(state)) {
                    places.add(new Place(state, true));
                }
            }
            return places;
        }

        private static boolean isOpen(RunState state) {
            return state == RunState.STAGING_VALIDATED
                    || state == RunState.PUBLISH_UNKNOWN
                    || state == RunState.PUBLISHED;
        }

        @Override
        public String toString() {
            return owned ? state + "_OWNED" : state.name();
        }
    }

    static RunRow row(Place place) {
        return new Rows(place).build();
    }

    /** Owned only where it has to be. */
    static RunRow row(RunState state) {
        return row(new Place(state, false));
    }

    /** The partitions are all there but one. */
    static RunRow nearlyDone(Place place, long sourceCount) {
        Rows rows = new Rows(place);
        rows.partitions = 2;
        rows.sourceCount = sourceCount;
        return rows.build();
    }

    /** What is published was read back. */
    static RunRow confirmed(Place place) {
        Rows rows = new Rows(place);
        rows.confirmedAt = ALIVE;
        return rows.build();
    }

    static RunRow cleaned(Place place) {
        Rows rows = new Rows(place);
        rows.cleanedAt = ALIVE;
        return rows.build();
    }

    /** Another run of the same cut. */
    static Run other(RunState state) {
        return row(state).run();
    }

    static ManifestTerms terms(String digest) {
        return new ManifestTerms(
                digest,
                new SnapshotToken("postgresql-snapshot", "00000003-1"),
                null,
                Consistency.SAME_SNAPSHOT,
                20,
                3,
                List.of("id", "note"),
                List.of("id"),
                ReadOptions.NONE);
    }

    private static final class Rows {
        private final Place place;
        private int partitions = 3;
        private long sourceCount = 20;
        private @Nullable Instant confirmedAt;
        private @Nullable Instant cleanedAt;

        Rows(Place place) {
            this.place = place;
        }

        RunRow build() {
            RunState state = place.state();
            boolean owned = place.owned()
                    || state == RunState.STAGE_VALIDATING
                    || state == RunState.PUBLISHING;
            Run run = new Run(
                    new RunId(new UUID(0, 1)),
                    "orders",
                    "2026-11-29",
                    state,
                    4,
                    "shop",
                    "public.orders",
                    "sales.orders",
                    PublishMode.REPLACE,
                    List.of("id"),
                    "file:///lake/run=1",
                    new SnapshotToken("postgresql-snapshot", "00000003-1"),
                    null,
                    Consistency.SAME_SNAPSHOT,
                    sourceCount,
                    partitions,
                    1,
                    TEN,
                    null,
                    null,
                    List.of(new Loss("price", 3)),
                    null,
                    START,
                    null,
                    null,
                    state.isTerminal() ? ALIVE : null,
                    RecoveryMode.REISSUE,
                    new Cut(new UUID(0, 2), 2),
                    owned ? OWNER : null,
                    confirmedAt,
                    cleanedAt,
                    START.plus(LEASE),
                    START.plus(TIMEOUT));
            String digest = state == RunState.CREATED ? null : "same";
            return new RunRow(
                    run, "key", "[]", false, LEASE, List.of("id"), ReadOptions.NONE, digest);
        }
    }
}
