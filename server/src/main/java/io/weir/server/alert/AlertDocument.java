package io.weir.server.alert;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.ledger.alert.Alert;

import java.time.Duration;
import java.time.Instant;

/** Alerts as the generic webhook takes them: one JSON object each. Pure. */
final class AlertDocument {
    private static final double MILLIS = 1000.0;

    private AlertDocument() {}

    static String line(Alert alert) {
        return Json.line(document(alert));
    }

    static ObjectNode document(Alert alert) {
        ObjectNode node = Json.object().put("kind", kind(alert)).put("id", id(alert));
        node.put("at", alert.at().toString()).put("job", alert.job());
        if (alert instanceof Alert.OfTable of) {
            node.put("table", of.subject().table()).put("target", of.subject().target());
        }
        if (alert instanceof Alert.Failed failed) {
            Instant next = failed.nextAttemptAt();
            node.put("failure", failed.failure())
                    .put("failures", failed.failures())
                    .put("nextAttemptAt", next == null ? null : next.toString());
        } else if (alert instanceof Alert.Stopped stopped) {
            node.put("code", stopped.code())
                    .put("message", stopped.message())
                    .put("command", stopped.command())
                    .put("ending", stopped.ending());
        } else if (alert instanceof Alert.Recovered recovered) {
            node.put("after", recovered.fromStop() ? "STOP" : "FAILURE")
                    .put("verified", recovered.position());
        } else if (alert instanceof Alert.Late late) {
            node.put("current", late.current().toString())
                    .put("lagMaxSeconds", late.max().toSeconds())
                    .put("failure", late.failure());
        } else if (alert instanceof Alert.CaughtUp caughtUp) {
            node.put("current", caughtUp.current().toString());
        } else if (alert instanceof Alert.Unknown unknown) {
            node.put("evidence", unknown.evidence());
        } else if (alert instanceof Alert.Summary summary) {
            summary(node, summary);
        } else if (alert instanceof Alert.JobStopped stopped) {
            node.put("code", stopped.code())
                    .put("message", stopped.message())
                    .put("command", stopped.command());
        } else if (alert instanceof Alert.LoadFailed failed) {
            node.put("target", failed.target())
                    .put("run", failed.run().toString())
                    .put("businessKey", failed.businessKey())
                    .put("state", failed.state().name())
                    .put("code", failed.code())
                    .put("message", failed.message());
        }
        return node;
    }

    static String kind(Alert alert) {
        if (alert instanceof Alert.Failed failed) {
            return failed.failures() > 1 ? "RETRY" : "FAILURE";
        }
        if (alert instanceof Alert.Stopped) {
            return "STOP";
        }
        if (alert instanceof Alert.Recovered) {
            return "RECOVERY";
        }
        if (alert instanceof Alert.JobStopped stopped) {
            return stopped.isSlotLost() ? "SLOT_LOST" : "JOB_STOP";
        }
        if (alert instanceof Alert.Late) {
            return "LATE";
        }
        if (alert instanceof Alert.CaughtUp) {
            return "CAUGHT_UP";
        }
        if (alert instanceof Alert.LoadFailed) {
            return "LOAD_FAILED";
        }
        return alert instanceof Alert.Unknown ? "PUBLISH_UNKNOWN" : "SUMMARY";
    }

    /** The same however often it is sent, so that whoever gets it twice can tell. */
    private static String id(Alert alert) {
        if (alert instanceof Alert.OfTable of) {
            return alert.job() + "/event/" + of.subject().sequence();
        }
        if (alert instanceof Alert.JobStopped stopped) {
            return alert.job() + "/event/" + stopped.sequence();
        }
        if (alert instanceof Alert.LoadFailed failed) {
            return alert.job() + "/run/" + failed.run();
        }
        Alert.Summary summary = (Alert.Summary) alert;
        return alert.job() + "/cut/" + summary.cut().number();
    }

    private static void summary(ObjectNode node, Alert.Summary summary) {
        node.put("since", summary.since().toString())
                .put("cut", summary.cut().number())
                .put("position", summary.cut().at().position())
                .put("durationSeconds", seconds(duration(summary)))
                .put("ageSeconds", seconds(summary.age()));
        ArrayNode missing = node.putArray("missing");
        summary.cut().missing().forEach(missing::add);
        ArrayNode tables = node.putArray("tables");
        for (Alert.TableSum table : summary.tables()) {
            tables.addObject()
                    .put("table", table.table())
                    .put("target", table.target())
                    .put("state", table.state())
                    .put("windows", table.windows())
                    .put("events", table.events())
                    .put("rowsIn", table.rowsIn())
                    .put("rowsOut", table.rowsOut())
                    .put("lagBytes", table.lagBytes())
                    .put("longestSeconds", seconds(table.longest()));
        }
    }

    /** From opening to closing of the cut. */
    static Duration duration(Alert.Summary summary) {
        return Duration.between(summary.cut().openedAt(), summary.at());
    }

    static double seconds(Duration duration) {
        return duration.toMillis() / MILLIS;
    }
}
