package io.weir.testkit.ledger;

import io.weir.core.error.WeirException;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.WorkLedger;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Event;
import io.weir.core.run.RunId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;

/** One of two books that get the same commands, and how its answers read without ids and times. */
final class Side {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern TIME =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d([.]\\d+)?)?Z");

    final LedgerBooks books;
    final WorkLedger ledger;
    final List<RunId> runs = new ArrayList<>();
    final List<WorkOrder> orders = new ArrayList<>();
    final List<PublishAttempt> attempts = new ArrayList<>();
    final List<Dispatch> leased = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();

    Side(LedgerBooks books) {
        this.books = books;
        this.ledger = books.ledger();
    }

    RunId addRun(RunId id) {
        if (!runs.contains(id)) {
            names.put(id.toString(), "run#" + runs.size());
            runs.add(id);
        }
        return id;
    }

    /** The newest open row of the outbox, else the newest. */
    UUID dispatchOf(RunId id) {
        List<Dispatch> all = ledger.detail(id).dispatches();
        return all.stream()
                .filter(row -> row.state().isOpen())
                .map(Dispatch::id)
                .findFirst()
                .orElse(all.isEmpty() ? new UUID(0, 0) : all.get(all.size() - 1).id());
    }

    /** What a command answers, or with which code it is refused. */
    String answer(Function<Side, Object> command) {
        try {
            return text(String.valueOf(command.apply(this)));
        } catch (WeirException e) {
            return e.code() + " " + text(e.text());
        }
    }

    /** All that there is to know about a run. */
    String state(RunId id) {
        RunDetail detail = ledger.detail(id);
        detail.dispatches().forEach(this::name);
        StringBuilder state = new StringBuilder(text(detail.toString()));
        for (Event event : ledger.events(id)) {
            state.append('\n').append(event.name()).append(' ').append(event.partitionId());
        }
        return state.toString();
    }

    /** In an order that both sides share: rows that are due at the same time have none. */
    List<Dispatch> named(List<Dispatch> dispatches) {
        dispatches.forEach(this::name);
        return dispatches.stream()
                .sorted((left, right) -> nameOf(left).compareTo(nameOf(right)))
                .toList();
    }

    private String nameOf(Dispatch dispatch) {
        return names.getOrDefault(dispatch.id().toString(), "");
    }

    private void name(Dispatch dispatch) {
        names.put(
                dispatch.id().toString(),
                names.get(dispatch.runId().toString()) + "/" + dispatch.kind() + "/"
                        + dispatch.cycle());
    }

    private String text(String text) {
        String timeless = TIME.matcher(text).replaceAll("T");
        return ID.matcher(timeless)
                .replaceAll(match -> names.getOrDefault(match.group(), match.group()));
    }
}
