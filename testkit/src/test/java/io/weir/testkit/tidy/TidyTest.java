package io.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.weir.testkit.tidy.JavaShape.Declaration;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Each method is one rule; its message lists every place that breaks it. */
class TidyTest {
    private static final int FILE_LINES_MAX = 400;
    private static final int METHOD_LINES_MAX = 60;
    private static final int COLUMNS_MAX = 100;

    private static final Pattern EMPTY_SUFFIX =
            Pattern.compile(".*(Util|Utils|Manager|Helper|Impl|Service)");
    private static final Pattern EMPTY_PACKAGE =
            Pattern.compile(".*/(common|util|utils|impl|service|manager|model|dto)/[^/]+[.]java");
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TOD[O]|FIXM[E]|XX[X])\\b");
    private static final Pattern MIGRATION = Pattern.compile("V[0-9]{3}__[a-z_]+[.]sql");
    private static final Pattern DISABLED = Pattern.compile("@(Disable[d]|Ignor[e])\\b");
    private static final Pattern SLEEP = Pattern.compile("\\bsleep\\(");
    private static final Pattern PRINT = Pattern.compile("System[.](out|err)\\b|printStackTrac[e]");
    private static final Pattern MACHINE =
            Pattern.compile("(?<![\\w.}<*-])/(work|root|tmp|home/\\w+|Users/\\w+)(?![\\w-])");
    private static final Pattern ZONELESS =
            Pattern.compile("\\b(Local(Date|Time|DateTime)|(Zoned|Offset)DateTime|Year)[.]now\\(\\)"
                    + "|new Date\\(\\)|Calendar[.]getInstance"
                    + "|ZoneId[.]systemDefault|TimeZone[.]getDefault");
    private static final Pattern STATEMENT =
            Pattern.compile("static final String ([A-Z][A-Z0-9_]*)\\b");
    private static final Pattern SENTENCE = Pattern.compile("/\\*\\*.*[.].*\\*/", Pattern.DOTALL);

    /** Rule, then file, then why the file may break the rule. This may only shrink. */
    private static final Map<String, Map<String, String>> EXCEPTIONS = Map.of();

    private static final Repository REPOSITORY = Repository.read();
    private static final List<Declaration> DECLARATIONS = JavaShape.of(REPOSITORY.java());

    @Test
    void filesAreShort() {
        List<Offence> offences = new ArrayList<>();
        for (SourceFile file : REPOSITORY.java()) {
            if (file.lines().size() > FILE_LINES_MAX) {
                offences.add(new Offence(file.path(), 0, file.lines().size() + " lines"));
            }
        }
        check("filesAreShort", offences);
    }

    @Test
    void methodsAreShort() {
        List<Offence> offences = new ArrayList<>();
        for (Declaration method : DECLARATIONS) {
            if (!method.isType() && method.lines() > METHOD_LINES_MAX) {
                String what = method.name() + " has " + method.lines() + " lines";
                offences.add(new Offence(method.file(), method.line(), what));
            }
        }
        check("methodsAreShort", offences);
    }

    /** A link in a page cannot be broken. */
    @Test
    void linesAreShort() {
        List<Offence> offences = new ArrayList<>();
        for (SourceFile file :
                REPOSITORY.withExtension("java", "md", "sql", "yaml", "yml", "sh", "py")) {
            for (int i = 0; i < file.lines().size(); i++) {
                String line = file.lines().get(i);
                int columns = line.codePointCount(0, line.length());
                boolean link = line.contains("](") || line.contains("://");
                if (columns > COLUMNS_MAX && !(link && file.extension().equals("md"))) {
                    offences.add(new Offence(file.path(), i + 1, columns + " columns"));
                }
            }
        }
        check("linesAreShort", offences);
    }

    @Test
    void typesAreNamedAfterWhatTheyAre() {
        List<Offence> offences = new ArrayList<>();
        for (Declaration type : DECLARATIONS) {
            if (type.isType() && EMPTY_SUFFIX.matcher(type.name()).matches()) {
                offences.add(new Offence(type.file(), type.line(), type.name()));
            }
        }
        check("typesAreNamedAfterWhatTheyAre", offences);
    }

    @Test
    void packagesAreNamedAfterWhatTheyHold() {
        List<Offence> offences = new ArrayList<>();
        for (SourceFile file : REPOSITORY.java()) {
            if (EMPTY_PACKAGE.matcher(file.path()).matches()) {
                offences.add(new Offence(file.path(), 0, "empty package name"));
            }
        }
        check("packagesAreNamedAfterWhatTheyHold", offences);
    }

    @Test
    void nothingIsLeftForLater() {
        check(
                "nothingIsLeftForLater",
                found(
                        REPOSITORY.withExtension("java", "sql", "yaml", "yml", "sh", "py", "xml"),
                        UNFINISHED));
    }

    @Test
    void everyPackageSaysWhatItIs() {
        Set<String> packages = new TreeSet<>();
        for (SourceFile file : REPOSITORY.java()) {
            if (file.path().contains("/src/main/java/")) {
                packages.add(file.path().substring(0, file.path().lastIndexOf('/') + 1));
            }
        }
        List<Offence> offences = new ArrayList<>();
        for (String folder : packages) {
            String text = REPOSITORY
                    .file(folder + "package-info.java")
                    .map(SourceFile::text)
                    .orElse("");
            if (!text.contains("@NullMarked")) {
                offences.add(new Offence(folder, 0, "no package-info.java with @NullMarked"));
            } else if (!SENTENCE.matcher(text).find()) {
                offences.add(new Offence(folder, 0, "package-info.java has no sentence"));
            }
        }
        check("everyPackageSaysWhatItIs", offences);
    }

    @Test
    void migrationsAreNumberedAndNamed() {
        List<Offence> offences = new ArrayList<>();
        for (SourceFile file : REPOSITORY.withExtension("sql")) {
            if (file.path().contains("/migration/")
                    && !MIGRATION.matcher(file.name()).matches()) {
                offences.add(new Offence(file.path(), 0, "not V000__words.sql"));
            }
        }
        check("migrationsAreNumberedAndNamed", offences);
    }

    @Test
    void everyErrorCodeIsOnItsPage() throws IOException {
        Path page = REPOSITORY.root().resolve(ErrorsPage.PATH);
        if (Boolean.getBoolean("weir.regenerate")) {
            Files.writeString(page, ErrorsPage.render());
        }
        assertThat(page)
                .as("run with -Dweir.regenerate=true")
                .content()
                .isEqualTo(ErrorsPage.render());
    }

    @Test
    void linksInPagesResolve() {
        check("linksInPagesResolve", new MarkdownLinks(REPOSITORY).broken());
    }

    @Test
    void noTestIsSwitchedOff() {
        check("noTestIsSwitchedOff", found(REPOSITORY.java(), DISABLED));
    }

    @Test
    void noTestWaitsForTheClock() {
        List<SourceFile> tests = REPOSITORY.java().stream()
                .filter(file -> file.isTest() || file.path().startsWith("testkit/"))
                .toList();
        check("noTestWaitsForTheClock", found(tests, SLEEP));
    }

    @Test
    void onlyCommandsPrint() {
        List<SourceFile> others = REPOSITORY.java().stream()
                .filter(file -> !file.path().startsWith("app/"))
                .filter(file -> !file.path().startsWith("bench/"))
                .toList();
        check("onlyCommandsPrint", found(others, PRINT));
    }

    @Test
    void noFileKnowsTheMachineItWasWrittenOn() {
        check("noFileKnowsTheMachineItWasWrittenOn", found(REPOSITORY.files(), MACHINE));
    }

    @Test
    void noTimeIsWithoutZone() {
        check("noTimeIsWithoutZone", found(REPOSITORY.java(), ZONELESS));
    }

    @Test
    void everyStatementOfAStoreIsUsed() {
        List<Offence> offences = new ArrayList<>();
        for (SourceFile store : REPOSITORY.java()) {
            if (!store.name().endsWith("Store.java") || store.isTest()) {
                continue;
            }
            String type = store.name().replace(".java", "");
            List<String> statements = STATEMENT
                    .matcher(store.text())
                    .results()
                    .map((MatchResult match) -> match.group(1))
                    .toList();
            for (String statement : statements) {
                Pattern word = Pattern.compile("\\b" + statement + "\\b");
                boolean used = word.matcher(store.text()).results().count() > 1
                        || isUsedElsewhere(store, type + "." + statement);
                if (!used) {
                    offences.add(new Offence(store.path(), 0, statement + " is never used"));
                }
            }
        }
        check("everyStatementOfAStoreIsUsed", offences);
    }

    @Test
    void everyExceptionHasAReasonAndARule() {
        Set<String> rules = new TreeSet<>();
        for (Declaration declaration : DECLARATIONS) {
            if (declaration.file().endsWith("/TidyTest.java") && !declaration.isType()) {
                rules.add(declaration.name());
            }
        }
        assertThat(rules).containsAll(EXCEPTIONS.keySet());
        EXCEPTIONS.values().stream()
                .flatMap(files -> files.values().stream())
                .forEach(reason -> assertThat(reason).matches("[A-Z].+[.]"));
    }

    private static boolean isUsedElsewhere(SourceFile store, String name) {
        return REPOSITORY.java().stream()
                .anyMatch(file -> !file.equals(store) && file.text().contains(name));
    }

    private static List<Offence> found(List<SourceFile> files, Pattern pattern) {
        List<Offence> offences = new ArrayList<>();
        for (SourceFile file : files) {
            offences.addAll(file.find(pattern));
        }
        return offences;
    }

    /** Fails for every offence without exception, and for every exception without offence. */
    private static void check(String rule, List<Offence> offences) {
        Map<String, String> exceptions = EXCEPTIONS.getOrDefault(rule, Map.of());
        Map<Boolean, List<Offence>> parts = offences.stream()
                .collect(Collectors.partitioningBy(o -> exceptions.containsKey(o.file())));
        List<Offence> open = parts.getOrDefault(false, List.of());
        if (!open.isEmpty()) {
            fail("%s: %d offences%n%s", rule, open.size(), list(open));
        }
        Map<String, String> unneeded = new TreeMap<>(exceptions);
        parts.getOrDefault(true, List.of()).forEach(offence -> unneeded.remove(offence.file()));
        assertThat(unneeded).as("exceptions that are no longer needed").isEmpty();
    }

    private static String list(List<Offence> offences) {
        return offences.stream().map(Offence::toString).collect(Collectors.joining("\n"));
    }
}
