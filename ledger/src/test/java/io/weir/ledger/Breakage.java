package io.weir.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One way to break an invariant by SQL.
 *
 * @param id the invariant that it breaks
 * @param named what a row of the invariant must say
 * @param follows what is found besides, because the same rows break it too
 */
record Breakage(
        String id, String what, String named, List<String> follows, List<String> statements) {
    private static final String RESOURCE = "/fsck/breakages.sql";
    private static final Pattern FORM = Pattern.compile(
            "-- (\\w+): ([^\n]*)\n-- named: ([^\n]*)\n-- follows: ?([^\n]*)\n(.*)", Pattern.DOTALL);

    /** In the order of the file. */
    static List<Breakage> all() {
        List<Breakage> all = new ArrayList<>();
        String[] blocks = text().split("\n\n", -1);
        for (String block : Arrays.asList(blocks).subList(1, blocks.length)) {
            Matcher matcher = FORM.matcher(block);
            if (!matcher.matches()) {
                throw new IllegalStateException("Invalid breakage " + block);
            }
            all.add(new Breakage(
                    matcher.group(1),
                    matcher.group(2),
                    matcher.group(3),
                    words(matcher.group(4), " "),
                    words(matcher.group(5).strip(), ";\n")));
        }
        return all;
    }

    /** The invariant that is broken and those that are broken with it. */
    List<String> found() {
        List<String> found = new ArrayList<>(follows);
        found.add(id);
        return found;
    }

    @Override
    public String toString() {
        return id + " " + what;
    }

    private static List<String> words(String text, String separator) {
        return Arrays.stream(text.split(separator, -1))
                .filter(word -> !word.isBlank())
                .map(word -> word.replaceFirst(";$", ""))
                .toList();
    }

    private static String text() {
        try (InputStream stream =
                Objects.requireNonNull(Breakage.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
