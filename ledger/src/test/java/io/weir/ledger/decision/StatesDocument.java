package io.weir.ledger.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ledger.fsck.Invariant;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The table state by command of one machine as a page for people. The page in {@code docs/states}
 * must be what the machine says now; {@code -Dweir.regenerate=true} writes it.
 *
 * @param <S> the states, each with its name as text
 */
public final class StatesDocument<S, T> {
    private static final int COLUMNS_MAX = 100;

    private final String title;
    private final String introduction;
    private final List<S> states;
    private final Function<T, S> stateOf;
    private final Map<String, Map<S, Decision<T>>> table = new LinkedHashMap<>();

    public StatesDocument(
            String title, String introduction, List<S> states, Function<T, S> stateOf) {
        this.title = title;
        this.introduction = introduction;
        this.states = states;
        this.stateOf = stateOf;
    }

    /** Asks the machine in every state. */
    public void decide(String command, Function<S, Decision<T>> machine) {
        Map<S, Decision<T>> row = new LinkedHashMap<>();
        for (S state : states) {
            row.put(state, machine.apply(state));
        }
        table.put(command, row);
    }

    /** The state after a command; the same state if nothing moved. */
    public S after(S state, String command) {
        return decision(state, command)
                .match(new Decision.Cases<T, S>(
                        move -> stateOf.apply(move.next()),
                        renew -> state,
                        done -> state,
                        refuse -> state));
    }

    public boolean moves(S state, String command) {
        return decision(state, command)
                .match(new Decision.Cases<T, Boolean>(
                        move -> true, renew -> false, done -> false, refuse -> false));
    }

    public List<String> commands() {
        return List.copyOf(table.keySet());
    }

    /** Fails if the page differs from the machine. */
    public void checkPage(String name) throws IOException {
        Path page = Path.of(System.getProperty("weir.root"), "docs", "states", name);
        if (Boolean.getBoolean("weir.regenerate")) {
            Files.createDirectories(page.getParent());
            Files.writeString(page, render(), StandardCharsets.UTF_8);
        }
        assertThat(page).content(StandardCharsets.UTF_8).isEqualTo(render());
    }

    /**
     * Fails if the query that looks for illegal moves in the journal allows others than the machine
     * does.
     *
     * @param machine the rows of the machine as events name them
     */
    public void checkMoves(String machine) {
        Set<String> moves = new TreeSet<>();
        for (S state : states) {
            for (String command : table.keySet()) {
                String before = plain(state);
                String after = plain(after(state, command));
                if (!after.equals(before)) {
                    moves.add("('" + machine + "', '" + before + "', '" + after + "')");
                }
            }
        }
        Invariant legal = Invariant.all().stream()
                .filter(invariant -> invariant.id().equals("I2"))
                .findFirst()
                .orElseThrow();
        List<String> allowed = Pattern.compile("\\('" + machine + "', '\\w+', '\\w+'\\)")
                .matcher(legal.sql())
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(allowed).containsExactlyInAnyOrderElementsOf(moves);
    }

    /** As the table spells it, without whether somebody does the step. */
    private static String plain(Object state) {
        return state.toString().replaceFirst("_OWNED$", "");
    }

    private Decision<T> decision(S state, String command) {
        Map<S, Decision<T>> row = table.get(command);
        Decision<T> decision = row == null ? null : row.get(state);
        assertThat(decision).as(command + " in " + state).isNotNull();
        return Objects.requireNonNull(decision);
    }

    private String render() {
        StringBuilder text = new StringBuilder("# ").append(title).append("\n\n");
        wrap(text, "", introduction);
        text.append("\nThis page is generated from the machine; a test keeps the two equal.\n\n");
        text.append("```mermaid\nstateDiagram-v2\n");
        edges().forEach((edge, commands) -> text.append("    ").append(edge).append('\n'));
        text.append("```\n");
        table.forEach((command, row) -> section(text, command, row));
        return text.toString();
    }

    /** One edge per pair of states; the sections below say by which commands. */
    private Map<String, List<String>> edges() {
        Map<String, List<String>> edges = new LinkedHashMap<>();
        for (S state : states) {
            for (String command : table.keySet()) {
                if (!after(state, command).equals(state)) {
                    edges.computeIfAbsent(
                                    state + " --> " + after(state, command),
                                    edge -> new ArrayList<>())
                            .add(command);
                }
            }
        }
        return edges;
    }

    private void section(StringBuilder text, String command, Map<S, Decision<T>> row) {
        text.append("\n## ").append(command).append("\n\n");
        Map<String, List<String>> outcomes = new LinkedHashMap<>();
        row.forEach((state, decision) -> outcomes.computeIfAbsent(
                        outcome(state, decision), o -> new ArrayList<>())
                .add(state.toString()));
        outcomes.forEach(
                (outcome, from) -> wrap(text, "- ", outcome + ": " + String.join(", ", from)));
    }

    private String outcome(S state, Decision<T> decision) {
        return decision.match(new Decision.Cases<T, String>(
                move -> {
                    S next = stateOf.apply(move.next());
                    String to = next.equals(state) ? "stays" : "to " + next;
                    return to + ", event " + move.event();
                },
                renew -> "lease prolonged",
                done -> "already done",
                refuse -> "refused with " + refuse.code()));
    }

    private static void wrap(StringBuilder text, String bullet, String sentence) {
        StringBuilder line = new StringBuilder(bullet);
        String indent = " ".repeat(bullet.length());
        for (String word : sentence.split(" ", -1)) {
            if (line.length() + word.length() + 1 > COLUMNS_MAX) {
                text.append(line.toString().stripTrailing()).append('\n');
                line = new StringBuilder(indent);
            }
            line.append(word).append(' ');
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }
}
