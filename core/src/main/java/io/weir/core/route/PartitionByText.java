package io.weir.core.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the text of {@link PartitionBy}; columns with special characters are in double quotes. */
final class PartitionByText {
    private static final String NAME = "\"(?:[^\"]|\"\")+\"|[^\"(),\\s](?:[^\"(),]*[^\"(),\\s])?";
    private static final Pattern FIELD = Pattern.compile(
            "\\s*(?:(?<word>[A-Za-z]+)\\s*\\(\\s*(?:(?<width>[0-9]{1,9})\\s*,\\s*)?(?<of>" + NAME
                    + ")\\s*\\)|(?<bare>" + NAME + "))\\s*");
    private static final Pattern PLAIN = Pattern.compile("[^\"(),\\s]+");

    private final String text;

    PartitionByText(String text) {
        this.text = text;
    }

    List<PartitionField> fields() {
        List<PartitionField> fields = new ArrayList<>();
        Matcher matcher = FIELD.matcher(text);
        int at = 0;
        while (true) {
            matcher.region(at, text.length());
            if (!matcher.lookingAt()) {
                throw invalid(at);
            }
            fields.add(field(matcher));
            at = matcher.end();
            if (at == text.length()) {
                return fields;
            }
            if (text.charAt(at) != ',') {
                throw invalid(at);
            }
            at++;
        }
    }

    private IllegalArgumentException invalid(int at) {
        return new IllegalArgumentException("cannot be read from \"" + text.substring(at)
                + "\" on, must be columns, or transforms such as day(created_at) and"
                + " bucket(16, id)");
    }

    private static PartitionField field(Matcher matcher) {
        String bare = matcher.group("bare");
        if (bare != null) {
            return PartitionField.of(PartitionTransform.IDENTITY, unquoted(bare));
        }
        String column = unquoted(matcher.group("of"));
        PartitionTransform transform = transform(matcher.group("word"));
        String width = matcher.group("width");
        if (transform.hasWidth() != (width != null)) {
            throw new IllegalArgumentException(
                    transform.hasWidth()
                            ? "needs a number: " + transform.word() + "(16, " + column + ")"
                            : "takes no number: " + transform.word() + "(" + column + ")");
        }
        return new PartitionField(transform, width == null ? 0 : Integer.parseInt(width), column);
    }

    private static PartitionTransform transform(String word) {
        return transforms().stream()
                .filter(transform -> transform.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("has an unknown transform \"" + word
                        + "\", must be one of "
                        + transforms().stream()
                                .map(PartitionTransform::word)
                                .collect(Collectors.joining(", "))
                        + ", or a bare column"));
    }

    private static List<PartitionTransform> transforms() {
        return Arrays.stream(PartitionTransform.values())
                .filter(transform -> transform != PartitionTransform.IDENTITY)
                .toList();
    }

    private static String unquoted(String name) {
        return name.startsWith("\"")
                ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
                : name;
    }

    /** The name as {@link #fields} reads it. */
    static String quoted(String name) {
        return PLAIN.matcher(name).matches() ? name : '"' + name.replace("\"", "\"\"") + '"';
    }
}
