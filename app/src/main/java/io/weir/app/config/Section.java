package io.weir.app.config;

import org.apache.commons.text.similarity.LevenshteinDistance;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A mapping of the job file; every key that is asked for is known, every other is a problem. */
final class Section {
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,4}");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,6})\\s*(s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})\\s*(B|KB|MB|GB)");
    private static final int TYPING_ERRORS_MAX = 3;

    private final String path;
    private final Node node;
    private final Problems problems;
    private final Map<String, Node> keys = new LinkedHashMap<>();
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final TreeSet<String> known = new TreeSet<>();

    Section(String path, Node node, Problems problems) {
        this.path = path;
        this.node = node;
        this.problems = problems;
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                read(tuple);
            }
        } else {
            problems.add(node, place("") + " must be a mapping");
        }
    }

    private void read(NodeTuple tuple) {
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
            problems.add(tuple.getKeyNode(), "A key must be text");
            return;
        }
        if (values.put(key.getValue(), tuple.getValueNode()) != null) {
            problems.add(key, "Key \"" + key.getValue() + "\" appears twice in " + place(""));
        }
        keys.put(key.getValue(), key);
    }

    /** Reports keys that nobody asked for. */
    void done() {
        keys.forEach((key, keyNode) -> {
            if (!known.contains(key)) {
                problems.addUnknownKey(
                        keyNode, "Unknown key \"" + key + "\" in " + place("") + suggest(key));
            }
        });
    }

    boolean has(String key) {
        known.add(key);
        return values.containsKey(key);
    }

    @Nullable
    String text(String key) {
        known.add(key);
        Node value = values.get(key);
        if (value == null) {
            return null;
        }
        if (value instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
            return scalar.getValue();
        }
        problems.add(value, place(key) + " must be text");
        return null;
    }

    String text(String key, String defaultValue) {
        String text = text(key);
        return text == null ? defaultValue : text;
    }

    /** The text, or a problem and an empty text. */
    String required(String key) {
        boolean present = has(key);
        String text = text(key);
        if (!present) {
            problems.add(node, place(key) + " is missing");
        }
        return text == null ? "" : text;
    }

    List<String> texts(String key) {
        known.add(key);
        Node value = values.get(key);
        if (value == null) {
            return List.of();
        }
        if (value instanceof SequenceNode sequence
                && sequence.getValue().stream().allMatch(item -> item instanceof ScalarNode)) {
            return sequence.getValue().stream()
                    .map(item -> ((ScalarNode) item).getValue())
                    .toList();
        }
        problems.add(value, place(key) + " must be a list of texts");
        return List.of();
    }

    /**
     * One text, or a list of texts that were parted at commas; null if there is none. YAML parts
     * {@code [bucket(16, id)]} inside of the parentheses, too.
     */
    @Nullable
    String joined(String key) {
        if (has(key) && values.get(key) instanceof ScalarNode) {
            return text(key);
        }
        List<String> texts = texts(key);
        return texts.isEmpty() ? null : String.join(", ", texts);
    }

    /** One of a closed set, matched without regard to case, dashes as underscores. */
    <E extends Enum<E>> E choice(String key, Class<E> type, E defaultValue) {
        String text = text(key);
        return text == null ? defaultValue : choiceOf(key, text, type, defaultValue);
    }

    /** The same without a default: what cannot be taken back is never assumed. */
    <E extends Enum<E>> E requiredChoice(String key, Class<E> type, E placeholder) {
        if (!has(key)) {
            problems.add(node, place(key) + " is missing: one of " + names(type));
        }
        return choice(key, type, placeholder);
    }

    /** A mapping from free keys to one of a closed set. */
    <E extends Enum<E>> Map<String, E> choices(String key, Class<E> type, E defaultValue) {
        Map<String, E> choices = new LinkedHashMap<>();
        for (Map.Entry<String, Section> entry : scalars(key).entrySet()) {
            String value = entry.getValue().text(entry.getKey(), "");
            choices.put(
                    entry.getKey(),
                    entry.getValue().choiceOf(entry.getKey(), value, type, defaultValue));
        }
        return choices;
    }

    private Map<String, Section> scalars(String key) {
        Map<String, Section> scalars = new LinkedHashMap<>();
        if (has(key)) {
            Section inner = section(key);
            inner.values.keySet().forEach(name -> scalars.put(name, inner));
        }
        return scalars;
    }

    private <E extends Enum<E>> E choiceOf(String key, String text, Class<E> type, E defaultValue) {
        for (E constant : type.getEnumConstants()) {
            if (nameOf(constant).equals(text.toLowerCase(Locale.ROOT))) {
                return constant;
            }
        }
        problems.add(
                values.getOrDefault(key, node),
                place(key) + " is \"" + text + "\", must be one of " + names(type));
        return defaultValue;
    }

    private static String names(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(Section::nameOf)
                .collect(Collectors.joining(", "));
    }

    private static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean flag(String key, boolean defaultValue) {
        return choice(key, Flag.class, defaultValue ? Flag.TRUE : Flag.FALSE) == Flag.TRUE;
    }

    private enum Flag {
        TRUE,
        FALSE
    }

    /** A whole number from 1 on. */
    int count(String key, int defaultValue) {
        String text = text(key);
        if (text == null) {
            return defaultValue;
        }
        if (!COUNT.matcher(text).matches()) {
            problems.add(
                    values.getOrDefault(key, node),
                    place(key) + " is \"" + text + "\", must be a number from 1 to 99999");
            return defaultValue;
        }
        return Integer.parseInt(text);
    }

    /** A size such as {@code 128MB}, in bytes; units are powers of 1024. */
    long size(String key, long defaultValue) {
        String text = text(key);
        if (text == null) {
            return defaultValue;
        }
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches() || matcher.group(1).matches("0+")) {
            problems.add(
                    values.getOrDefault(key, node),
                    place(key) + " is \"" + text + "\", must be a size such as 128MB");
            return defaultValue;
        }
        int shift = 10 * List.of("B", "KB", "MB", "GB").indexOf(matcher.group(2));
        return Long.parseLong(matcher.group(1)) << shift;
    }

    /** A time such as {@code 90s}, {@code 30m} or {@code 6h}. */
    Duration duration(String key, Duration defaultValue) {
        String text = text(key);
        if (text == null) {
            return defaultValue;
        }
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches() || matcher.group(1).matches("0+")) {
            problems.add(
                    values.getOrDefault(key, node),
                    place(key) + " is \"" + text + "\", must be a time such as 90s, 30m or 6h");
            return defaultValue;
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /** The mapping under a key; empty, with a problem, if it is missing. */
    Section section(String key) {
        known.add(key);
        Node value = values.get(key);
        if (value == null) {
            problems.add(node, place(key) + " is missing");
            return new Section(
                    path(key), new MappingNode(Tag.MAP, List.of(), FlowStyle.BLOCK), problems);
        }
        return new Section(path(key), value, problems);
    }

    /** The sections under free names, in order. */
    Map<String, Section> named(String key) {
        Section inner = section(key);
        Map<String, Section> sections = new LinkedHashMap<>();
        for (Map.Entry<String, Node> entry : inner.values.entrySet()) {
            sections.put(
                    entry.getKey(),
                    new Section(inner.path(entry.getKey()), entry.getValue(), problems));
        }
        return sections;
    }

    /** Whether the value under a key is a mapping. */
    boolean isSection(String key) {
        known.add(key);
        return values.get(key) instanceof MappingNode;
    }

    /** Whether the mapping under a key has another key; asks for neither. */
    boolean holds(String key, String inner) {
        return values.get(key) instanceof MappingNode mapping
                && mapping.getValue().stream()
                        .anyMatch(tuple -> tuple.getKeyNode() instanceof ScalarNode scalar
                                && scalar.getValue().equals(inner));
    }

    void problem(String key, String problem) {
        problems.add(values.getOrDefault(key, node), place(key) + " " + problem);
    }

    private String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private String place(String key) {
        String full = key.isEmpty() ? path : path(key);
        return full.isEmpty() ? "the job file" : full;
    }

    private String suggest(String key) {
        LevenshteinDistance distance = new LevenshteinDistance(TYPING_ERRORS_MAX);
        String best = null;
        int least = TYPING_ERRORS_MAX + 1;
        for (String candidate : known) {
            int typingErrors = distance.apply(key, candidate);
            if (typingErrors >= 0 && typingErrors < least) {
                best = candidate;
                least = typingErrors;
            }
        }
        return best == null
                ? " (known: " + String.join(", ", known) + ")"
                : ": did you mean \"" + best + "\"?";
    }
}
