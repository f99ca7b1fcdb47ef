package io.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The page of faults and the tests say the same. */
class FaultsPageTest {
    private static final int FAULTS = 54;
    private static final Pattern ENTRY =
            Pattern.compile("(?ms)^- \\*\\*F([0-9]+)\\*\\* (.*?)(?=^- |^#|\\z)");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|Contract))\\.(\\w+)`");
    private static final Pattern TAGGED =
            Pattern.compile("// (F[0-9]+(?: F[0-9]+)*)\\s+@Test\\s+void (\\w+)\\(");
    private static final Repository REPOSITORY = Repository.read();

    /** Text by number. */
    private static Map<Integer, String> entries() {
        String page = String.join(
                "\n", REPOSITORY.file("docs/faults.md").orElseThrow().lines());
        Map<Integer, String> entries = new TreeMap<>();
        Matcher found = ENTRY.matcher(page);
        while (found.find()) {
            String before = entries.put(Integer.valueOf(found.group(1)), found.group(2));
            assertThat(before).as("F" + found.group(1) + " is there twice").isNull();
        }
        return entries;
    }

    private static Set<String> testsOf(String entry) {
        Set<String> tests = new TreeSet<>();
        Matcher found = TEST.matcher(entry);
        while (found.find()) {
            tests.add(found.group(1) + "." + found.group(2));
        }
        return tests;
    }

    private static String nameOf(SourceFile file) {
        return String.valueOf(Path.of(file.path()).getFileName()).replace(".java", "");
    }

    @Test
    void everyFaultHasATestOrAReason() {
        Map<Integer, String> entries = entries();

        assertThat(entries.keySet())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, FAULTS).boxed().toList());
        assertThat(entries)
                .allSatisfy((number, text) -> assertThat(
                                text.contains("Not yet: ") || !testsOf(text).isEmpty())
                        .as("F" + number)
                        .isTrue());
    }

    @Test
    void everyTestOnThePageExists() {
        Map<String, String> sources = REPOSITORY.java().stream()
                .collect(Collectors.toMap(
                        FaultsPageTest::nameOf,
                        file -> String.join("\n", file.lines()),
                        (one, other) -> one + other));
        List<String> missing = new ArrayList<>();
        for (String text : entries().values()) {
            for (String test : testsOf(text)) {
                String name = test.substring(0, test.indexOf('.'));
                String method = test.substring(name.length() + 1);
                if (!sources.getOrDefault(name, "").contains(" void " + method + "(")) {
                    missing.add(test);
                }
            }
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void everyTestThatNamesAFaultIsOnThePage() {
        Map<Integer, String> entries = entries();
        List<String> missing = new ArrayList<>();
        int tagged = 0;
        for (SourceFile file : REPOSITORY.java()) {
            Matcher tests = TAGGED.matcher(String.join("\n", file.lines()));
            while (tests.find()) {
                tagged++;
                String test = nameOf(file) + "." + tests.group(2);
                for (String fault : tests.group(1).split(" ", -1)) {
                    int number = Integer.parseInt(fault.substring(1));
                    if (!testsOf(entries.getOrDefault(number, "")).contains(test)) {
                        missing.add(fault + " " + test);
                    }
                }
            }
        }

        assertThat(missing).isEmpty();
        assertThat(tagged).isGreaterThan(20);
    }
}
