package io.weir.server.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Goal: callers who are turned away together do not come back together. */
class ProblemTest {
    // F47
    @Test
    void whoIsTurnedAwayIsToldWhenToComeBackAndNotAllAtOnce() {
        List<Integer> waits = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            waits.add(Integer.valueOf(
                    headers(ErrorCode.LEDGER_UNREACHABLE, i).getOrDefault("Retry-After", "")));
        }

        for (int second = 1; second <= 10; second++) {
            int wait = second;
            assertThat(waits).filteredOn(one -> one == wait).hasSizeBetween(50, 200);
        }
        assertThat(waits).allMatch(wait -> wait >= 1 && wait <= 10);
    }

    @Test
    void whoIsRefusedIsNot() {
        assertThat(headers(ErrorCode.TARGET_BUSY, 1)).isEmpty();
        assertThat(headers(ErrorCode.UNAUTHENTICATED, 1)).containsOnlyKeys("WWW-Authenticate");
    }

    private static Map<String, String> headers(ErrorCode code, int call) {
        String id = new UUID(31L * call, 17L * call).toString();
        return Problem.of(new WeirException(code, "Cannot"), "/v1/runs", id).headers();
    }
}
