package io.weir.ledger.alert;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.ledger.alert.Alert.Subject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which events of the books people are told. Pure: the same failure is told once because the events
 * before it say that it is the same, whoever asks and how often.
 */
public final class AlertRules {
    /** The event of a job that cannot go on as a whole. */
    public static final String JOB_STOPPED = "REPLICATION_STOPPED";

    /** Events that people may have to be told. */
    public static final Set<String> NAMES = Set.of(
            "REPLICA_FAILED",
            "REPLICA_STOPPED",
            "REPLICA_ENDING",
            "REPLICA_ADVANCED",
            "REPLICA_LOADED",
            "REPLICA_LATE",
            "REPLICA_CAUGHT_UP",
            "WINDOW_UNKNOWN",
            JOB_STOPPED);

    /** Places, ids, times and counts differ from try to try. */
    private static final Pattern VARYING =
            Pattern.compile("[0-9A-Fa-f]+/[0-9A-Fa-f]+|[0-9A-Fa-f]{8,}|[0-9]+");

    /**
     * An event with what came before it.
     *
     * @param details columns that it changed
     * @param before the last event of the same table among those; null if there is none
     * @param failureBefore the last failure of the table as text; null if none came since the last
     *     good window
     */
    public record Happened(
            Subject subject,
            String name,
            JsonNode details,
            @Nullable String before,
            @Nullable String failureBefore) {}

    private AlertRules() {}

    /** Empty if people need not be told. */
    public static Optional<Alert> alert(Happened event) {
        JsonNode details = event.details();
        return switch (event.name()) {
            case "REPLICA_FAILED" -> failed(event);
            case "REPLICA_STOPPED", "REPLICA_ENDING" -> stopped(event);
            case "REPLICA_ADVANCED", "REPLICA_LOADED" -> recovered(event);
            case "REPLICA_LATE" ->
                Optional.of(new Alert.Late(
                        event.subject(),
                        current(event),
                        Duration.ofSeconds(details.path("lag_max_seconds").asLong()),
                        details.path("last_failure").textValue()));
            case "REPLICA_CAUGHT_UP" ->
                Optional.of(new Alert.CaughtUp(event.subject(), current(event)));
            case "WINDOW_UNKNOWN" ->
                Optional.of(new Alert.Unknown(
                        event.subject(), details.path("evidence").asText("no evidence")));
            default -> Optional.empty();
        };
    }

    private static Instant current(Happened event) {
        return Instant.parse(event.details().path("current_at").asText());
    }

    private static Optional<Alert> failed(Happened event) {
        // The same text as before is no change of the column.
        JsonNode failure = event.details().path("failure");
        if (!failure.isTextual() || isSame(failure.asText(), event.failureBefore())) {
            return Optional.empty();
        }
        JsonNode next = event.details().path("next_attempt_at");
        return Optional.of(new Alert.Failed(
                event.subject(),
                event.details().path("failures").asLong(1),
                failure.asText(),
                next.isTextual() ? Instant.parse(next.asText()) : null));
    }

    /**
     * A job that cannot go on as a whole; empty if people were told the same.
     *
     * @param before the last stop of the job as text; null if a window was good since, or none was
     */
    public static Optional<Alert> jobStopped(
            long sequence, Instant at, String job, JsonNode details, @Nullable String before) {
        String message = details.path("stop_message").asText();
        return isSame(message, before)
                ? Optional.empty()
                : Optional.of(new Alert.JobStopped(
                        sequence,
                        at,
                        job,
                        details.path("stop_code").asText(),
                        message,
                        details.path("stop_command").asText()));
    }

    /**
     * Whether people have to be told of a load that failed.
     *
     * @param before how the load before failed, as text; null if it did not, or nobody looked
     */
    public static boolean isNews(Alert.LoadFailed failed, @Nullable String before) {
        return !isSame(failed.message(), before);
    }

    private static boolean isSame(String failure, @Nullable String before) {
        return before != null && plain(failure).equals(plain(before));
    }

    private static String plain(String failure) {
        return VARYING.matcher(failure).replaceAll("#");
    }

    /** A table whose log ended was told of when it ended, not again when it gets there. */
    private static Optional<Alert> stopped(Happened event) {
        JsonNode details = event.details();
        if (!details.path("stop_code").isTextual()) {
            return Optional.empty();
        }
        return Optional.of(new Alert.Stopped(
                event.subject(),
                details.path("stop_code").asText(),
                details.path("stop_message").asText(),
                details.path("stop_command").asText(),
                event.name().equals("REPLICA_ENDING")));
    }

    private static Optional<Alert> recovered(Happened event) {
        String before = event.before();
        boolean stop = "REPLICA_STOPPED".equals(before)
                || ("REPLICA_ENDING".equals(before) && event.name().equals("REPLICA_LOADED"));
        if (!stop && !"REPLICA_FAILED".equals(before)) {
            return Optional.empty();
        }
        JsonNode position = event.details().path("verified_position");
        return Optional.of(new Alert.Recovered(
                event.subject(), stop, position.isTextual() ? position.asText() : null));
    }
}
