package io.weir.server.alert;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.RunState;
import io.weir.ledger.alert.Alert;

import java.util.List;
import java.util.Locale;

/** Alerts as an incoming webhook of Slack takes them, within its limits. Pure. */
final class SlackMessage {
    /** Characters of a header, of the text of a section, and of the message without blocks. */
    static final int HEADER_MAX = 150;

    static final int SECTION_MAX = 3000;
    private static final int PART_MAX = 2700;
    private static final int TABLES_MAX = 20;
    private static final String FENCE = "```";

    private SlackMessage() {}

    static String line(Alert alert) {
        String title = title(alert);
        ObjectNode message = Json.object().put("text", escaped(title, PART_MAX));
        ArrayNode blocks = message.putArray("blocks");
        blocks.addObject()
                .put("type", "header")
                .putObject("text")
                .put("type", "plain_text")
                .put("text", cut(title, HEADER_MAX))
                .put("emoji", false);
        for (String text : texts(alert)) {
            blocks.addObject()
                    .put("type", "section")
                    .putObject("text")
                    .put("type", "mrkdwn")
                    .put("text", text);
        }
        return Json.line(message);
    }

    private static String title(Alert alert) {
        if (alert instanceof Alert.Failed failed) {
            String what = failed.failures() > 1
                    ? "Retry " + (failed.failures() - 1) + " failed: "
                    : "Window failed: ";
            return what + failed.subject().target();
        }
        if (alert instanceof Alert.Stopped stopped) {
            return "Table stopped: " + stopped.subject().target() + " (" + stopped.code() + ")";
        }
        if (alert instanceof Alert.Recovered recovered) {
            return "Recovered: " + recovered.subject().target();
        }
        if (alert instanceof Alert.Late late) {
            return "Late: " + late.subject().target();
        }
        if (alert instanceof Alert.CaughtUp caughtUp) {
            return "Caught up: " + caughtUp.subject().target();
        }
        if (alert instanceof Alert.Unknown unknown) {
            return "Publish outcome unknown: " + unknown.subject().target();
        }
        if (alert instanceof Alert.JobStopped stopped) {
            return (stopped.isSlotLost() ? "Slot lost: job " : "Job stopped: ") + stopped.job()
                    + " (" + stopped.code() + ")";
        }
        if (alert instanceof Alert.LoadFailed failed) {
            return "Load failed: " + failed.target() + " (" + failed.state() + ")";
        }
        Alert.Summary summary = (Alert.Summary) alert;
        int missing = summary.cut().missing().size();
        return "Job " + summary.job() + ": cut " + summary.cut().number() + " with "
                + (summary.cut().tables() - missing) + " of " + summary.cut().tables() + " tables";
    }

    private static List<String> texts(Alert alert) {
        if (alert instanceof Alert.Failed failed) {
            return List.of(
                    where(failed),
                    fenced(failed.failure()),
                    failed.nextAttemptAt() == null
                            ? "Tried again at once."
                            : "Retry " + failed.failures() + " at " + failed.nextAttemptAt() + ".");
        }
        if (alert instanceof Alert.Stopped stopped) {
            return List.of(
                    where(stopped),
                    fenced(stopped.message()),
                    (stopped.ending()
                                    ? "Changes up to there are still published, nothing after"
                                            + " them."
                                    : "Nothing of this window is published.")
                            + " Once the cause is mended, run:",
                    fenced(stopped.command()));
        }
        if (alert instanceof Alert.Recovered recovered) {
            String after = recovered.fromStop() ? "after a stop" : "after failures";
            String position = recovered.position();
            return List.of(
                    where(recovered),
                    "First good window " + after
                            + (position == null ? "." : ", verified up to " + position + "."));
        }
        if (alert instanceof Alert.Late late) {
            return late(late);
        }
        if (alert instanceof Alert.CaughtUp caughtUp) {
            return List.of(
                    where(caughtUp),
                    "Everything committed by " + caughtUp.current() + " is in the table.");
        }
        if (alert instanceof Alert.Unknown unknown) {
            return List.of(where(unknown), fenced(unknown.evidence()));
        }
        if (alert instanceof Alert.JobStopped stopped) {
            return List.of(
                    "Job " + escaped(stopped.job(), PART_MAX / 4) + ", at " + stopped.at(),
                    fenced(stopped.message()),
                    "Nothing of the job goes on before this is mended:",
                    fenced(stopped.command()));
        }
        if (alert instanceof Alert.LoadFailed failed) {
            return List.of(
                    "Job " + escaped(failed.job(), PART_MAX / 4) + ", business key "
                            + escaped(failed.businessKey(), PART_MAX / 4) + ", at " + failed.at(),
                    fenced(failed.message()),
                    (failed.state() == RunState.FAILED_TARGET_VALIDATION
                                    ? "Its rows are published and differ."
                                    : "Nothing of it is published.")
                            + " Look at it:",
                    fenced("weir explain " + failed.run()));
        }
        return summary((Alert.Summary) alert);
    }

    private static List<String> late(Alert.Late late) {
        String failure = late.failure();
        String how = "Only what was committed by " + late.current() + " is sure to be in it, more"
                + " than lag-max: " + late.max().toSeconds() + "s ago.";
        return failure == null
                ? List.of(where(late), how)
                : List.of(where(late), how + " Its last window failed:", fenced(failure));
    }

    private static String where(Alert.OfTable alert) {
        return "Job " + escaped(alert.job(), PART_MAX / 4) + ", table "
                + escaped(alert.subject().table(), PART_MAX / 4) + ", at " + alert.at();
    }

    private static List<String> summary(Alert.Summary summary) {
        long in = summary.tables().stream().mapToLong(Alert.TableSum::rowsIn).sum();
        long out = summary.tables().stream().mapToLong(Alert.TableSum::rowsOut).sum();
        long lag = summary.tables().stream()
                .mapToLong(Alert.TableSum::lagBytes)
                .max()
                .orElse(0);
        String head = "At " + summary.cut().at().position() + ", everything committed "
                + number(AlertDocument.seconds(summary.age())) + " s ago is in; "
                + number(AlertDocument.seconds(AlertDocument.duration(summary))) + " s for the"
                + " cut. Since " + summary.since() + ": " + in + " rows in, " + out + " rows out;"
                + " lag " + lag + " bytes.";
        StringBuilder lines = new StringBuilder();
        for (Alert.TableSum table : summary.tables().stream().limit(TABLES_MAX).toList()) {
            lines.append(table.target())
                    .append(": ")
                    .append(table.state())
                    .append(", in ")
                    .append(table.rowsIn())
                    .append(", out ")
                    .append(table.rowsOut())
                    .append(", windows ")
                    .append(table.windows())
                    .append(", slowest ")
                    .append(number(AlertDocument.seconds(table.longest())))
                    .append(" s, lag ")
                    .append(table.lagBytes())
                    .append(" bytes\n");
        }
        int more = summary.tables().size() - TABLES_MAX;
        if (more > 0) {
            lines.append("and ").append(more).append(" more tables");
        }
        return List.of(head, fenced(lines.toString().strip()));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** Nothing in it is formatting, and it ends where we say. */
    static String fenced(String text) {
        return FENCE + "\n" + escaped(text.replace(FENCE, "'''"), PART_MAX) + "\n" + FENCE;
    }

    /** With the three characters escaped that Slack reads as its own; no escape is cut in two. */
    static String escaped(String text, int most) {
        StringBuilder escaped = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            String one = switch (point) {
                case '&' -> "&amp;";
                case '<' -> "&lt;";
                case '>' -> "&gt;";
                default -> Character.toString(point);
            };
            if (escaped.length() + one.length() > most - 1) {
                return escaped.append('…').toString();
            }
            escaped.append(one);
            at += Character.charCount(point);
        }
        return escaped.toString();
    }

    /** Plain text, which Slack does not read as its own. */
    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = most - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end)
                + "…";
    }
}
