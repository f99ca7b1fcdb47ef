package io.weir.ledger.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ledger.TestBooks;

import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of the invariants: none forgotten, each with its sentence, the generated ones true. */
class InvariantTest {
    private static final String TABLES = """
            select relname
            from pg_class
            where relnamespace = 'weir'::regnamespace and relkind = 'r' and relname <> 'migration'
            """;

    private static final Path ROOT = Path.of(System.getProperty("weir.root"));
    private static final Path FOLDER =
            ROOT.resolve("ledger/src/main/resources").resolve(Invariant.FOLDER);
    private static final String BEGIN = "<!-- invariants -->\n";
    private static final String END = "<!-- end of invariants -->\n";

    @Test
    void theQueriesOfConstraintsAreThoseOfTheSchema() throws IOException {
        TestBooks.ledger();
        List<String> tables = new ArrayList<>();
        try (Handle handle = TestBooks.jdbi().open()) {
            for (String name : Invariant.FILES) {
                if (name.startsWith("S")) {
                    String table = name.substring(name.indexOf('-') + 1);
                    tables.add(table);
                    same(FOLDER.resolve(name + ".sql"), TableConstraints.file(handle, table));
                }
            }
            assertThat(handle.createQuery(TABLES).mapTo(String.class).list())
                    .containsExactlyInAnyOrderElementsOf(tables);
        }
    }

    @Test
    void everyFileIsAsked() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            Invariant.FILES.stream().map(name -> name + ".sql").toList());
        }
        assertThat(Invariant.all()).extracting(Invariant::id).doesNotHaveDuplicates();
        assertThat(Invariant.all())
                .allSatisfy(invariant -> assertThat(invariant.title()).matches("[A-Z].+[.]"));
    }

    @Test
    void everyInvariantIsOnItsPage() throws IOException {
        StringBuilder list = new StringBuilder();
        for (Invariant invariant : Invariant.all()) {
            item(list, invariant.id(), invariant.title());
        }
        item(list, Replay.ID, Replay.TITLE);
        Path page = ROOT.resolve("docs/reference/fsck.md");
        String text = Files.readString(page);
        assertThat(text).contains(BEGIN, END);
        same(
                page,
                text.substring(0, text.indexOf(BEGIN) + BEGIN.length())
                        + "\n" + list + "\n"
                        + text.substring(text.indexOf(END)));
    }

    private static void item(StringBuilder list, String id, String title) {
        StringBuilder line = new StringBuilder("- **" + id + "**");
        for (String word : title.split(" ", -1)) {
            if (line.length() + 1 + word.length() > 100) {
                list.append(line).append('\n');
                line = new StringBuilder(" ");
            }
            line.append(' ').append(word);
        }
        list.append(line).append('\n');
    }

    private static void same(Path file, String text) throws IOException {
        if (Boolean.getBoolean("weir.regenerate")) {
            Files.writeString(file, text);
        }
        assertThat(file).as("run with -Dweir.regenerate=true").content().isEqualTo(text);
    }
}
