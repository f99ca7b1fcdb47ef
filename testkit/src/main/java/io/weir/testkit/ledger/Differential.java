package io.weir.testkit.ledger;

import io.weir.core.error.WeirException;
import io.weir.core.run.RunId;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Gives two books the same commands, drawn from a seed, and compares every answer and row. */
public final class Differential {
    private static final int WHOLE_EVERY = 25;

    private final Side left;
    private final Side right;
    private final RandomCommands commands;
    private final List<String> trace = new ArrayList<>();

    public Differential(LedgerBooks left, LedgerBooks right, long seed) {
        this.left = new Side(left);
        this.right = new Side(right);
        this.commands = new RandomCommands(new Random(seed), "seed" + seed);
    }

    /**
     * Runs commands until the books differ.
     *
     * @return what differs and the commands up to there; empty if nothing did
     */
    public Optional<String> run(int count) {
        for (int i = 0; i < count; i++) {
            RandomCommands.Step step = commands.next(left);
            trace.add(step.name());
            String expected = left.answer(step.command());
            String found = right.answer(step.command());
            if (!expected.equals(found)) {
                return Optional.of(difference(expected, found));
            }
            trace.set(i, step.name() + " -> " + expected);
            boolean whole = i % WHOLE_EVERY == WHOLE_EVERY - 1 || i == count - 1;
            for (int run = 0; run < left.runs.size(); run++) {
                if (whole || run == step.run()) {
                    Optional<String> difference = compare(run);
                    if (difference.isPresent()) {
                        return difference;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> compare(int run) {
        RunId leftId = left.runs.get(run);
        RunId rightId = right.runs.get(run);
        try {
            String expected = left.state(leftId);
            String found = right.state(rightId);
            if (!expected.equals(found)) {
                return Optional.of(difference(expected, found));
            }
        } catch (WeirException e) {
            return Optional.of(difference("a readable run", e.text()));
        }
        if (!FoldedRows.of(right.ledger.events(rightId)).equals(right.books.rows(rightId))) {
            return Optional.of(difference("rows equal to their events", "other rows"));
        }
        return Optional.empty();
    }

    private String difference(String expected, String found) {
        int start = 0;
        int end = Math.min(expected.length(), found.length());
        while (start < end && expected.charAt(start) == found.charAt(start)) {
            start++;
        }
        int from = Math.max(0, start - 60);
        return "expected …" + expected.substring(from) + "\nfound    …" + found.substring(from)
                + "\nafter\n" + String.join("\n", trace);
    }
}
