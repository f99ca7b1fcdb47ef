package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.ReplicaEvent;
import io.weir.ledger.replica.ReplicaWindow;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which tables are late by {@code lag-max}, and which are not. */
class LagTest {
    private static final Set<String> NAMES = Set.of("REPLICA_LATE", "REPLICA_CAUGHT_UP");
    private static final String LATE = "public.orders REPLICA_LATE";
    private static final String CAUGHT_UP = "public.orders REPLICA_CAUGHT_UP";

    /** Keeps the windows of one table from being published. */
    private static final ReplicateListener FAILING = new ReplicateListener() {
        @Override
        public void step(ReplicaWindow window, WindowStep step) {
            if (window.table().equals("public.orders")) {
                throw new WeirException(ErrorCode.CATALOG_UNREACHABLE, "Cannot reach the lake");
            }
        }
    };

    @TempDir
    private Path directory;

    private ReplicaHouse house;

    @BeforeEach
    void open() {
        house = new ReplicaHouse(directory);
        house.once();
    }

    @AfterEach
    void close() {
        house.close();
    }

    /** Oldest first. */
    private List<String> said() {
        List<String> said = new ArrayList<>();
        for (ReplicaEvent event : house.replicas().events("shop", 1000)) {
            if (NAMES.contains(event.name())) {
                said.add(0, event.table() + " " + event.name());
            }
        }
        return said;
    }

    private void later(String time) {
        house.books.execute("update weir.replica_event set at = at - interval '" + time + "'");
    }

    private void change(int version) {
        house.source.execute(
                "update orders set version = " + version + " where id = 1",
                "update items set version = " + version + " where id = 1");
    }

    // F53
    /** The process is a new one each time, and people are told once. */
    @Test
    void aTableWhoseWindowsFailIsLateUntilItIsWhereTheSourceIs() {
        house.lagMax = Duration.ofHours(2);
        change(1);
        house.once(house.job(), FAILING);
        assertThat(said()).as("it was verified a moment ago").isEmpty();
        later("90 minutes");
        house.once(house.job(), FAILING);
        assertThat(said()).as("not long enough").isEmpty();
        later("1 hour");
        house.once(house.job(), FAILING);
        house.once(house.job(), FAILING);
        assertThat(said()).containsExactly(LATE);
        ReplicaEvent late = house.replicas().events("shop", 1000).stream()
                .filter(event -> event.name().equals("REPLICA_LATE"))
                .findFirst()
                .orElseThrow();
        JsonNode facts = Json.parse(late.details());
        assertThat(facts.path("lag_max_seconds").asLong()).isEqualTo(7200);
        assertThat(facts.path("last_failure").asText()).contains("Cannot reach the lake");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(said()).containsExactly(LATE, CAUGHT_UP);
        house.once();
        assertThat(said()).hasSize(2);
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aJobThatDidNotRunForLongIsNotLateOnceItDid() {
        house.lagMax = Duration.ofHours(2);
        later("3 days");
        change(1);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(said()).isEmpty();
    }

    @Test
    void withoutAKeyNothingIsLate() {
        later("3 days");
        change(1);
        house.once(house.job(), FAILING);
        assertThat(said()).isEmpty();
    }

    /** Nothing fails, and nothing ends: it is seen while it goes on. */
    @Test
    void aMergeThatTakesTooLongIsLateWhileItRuns() {
        house.lagMax = Duration.ofSeconds(2);
        Cancellation stop = new Cancellation();
        change(1);
        house.forever(house.continuous(), stop, Duration.ofSeconds(3), new ReplicateListener() {
            @Override
            public void step(ReplicaWindow window, WindowStep step) {
                while (step == WindowStep.OPENED && !said().contains(LATE)) {
                    Thread.onSpinWait();
                }
            }

            @Override
            public void merging(int atOnce, int tables) {
                if (said().contains(CAUGHT_UP)) {
                    stop.request();
                } else {
                    change(said().size());
                }
            }
        });
        assertThat(said().stream().filter(line -> line.startsWith("public.orders ")))
                .as("what comes later depends on how fast the machine is")
                .startsWith(LATE, CAUGHT_UP);
    }
}
