package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ledger.database.PostgresFsck;
import io.weir.ledger.fsck.Finding;

import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Goal: whatever an invariant forbids is found by it. Method: books with runs in every state are
 * clean; then their constraints are dropped, one thing is broken by SQL, and the transaction is
 * undone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FsckTest {
    /** What a dump restored without its constraints looks like. */
    private static final String WITHOUT_CONSTRAINTS = """
            do $$
            declare
                name record;
            begin
                for name in
                    select conrelid::regclass as owner, conname
                    from pg_constraint
                    where connamespace = 'weir'::regnamespace and conrelid <> 0
                    order by contype <> 'f'
                loop
                    execute format('alter table %s drop constraint %I', name.owner, name.conname);
                end loop;
                for name in
                    select indexrelid::regclass as index
                    from pg_index
                    join pg_class on pg_class.oid = indrelid
                    where relnamespace = 'weir'::regnamespace and indisunique
                loop
                    execute format('drop index %s', name.index);
                end loop;
                for name in
                    select tgrelid::regclass as owner, tgname
                    from pg_trigger
                    join pg_class on pg_class.oid = tgrelid
                    where relnamespace = 'weir'::regnamespace and not tgisinternal
                loop
                    execute format('drop trigger %I on %s', name.tgname, name.owner);
                end loop;
            end $$
            """;

    private OwnBooks books;
    private Map<String, RunScript> runs;

    @BeforeAll
    void fill() {
        books = OwnBooks.open();
        runs = EveryState.in(books);
    }

    @AfterAll
    void close() {
        books.close();
    }

    @Test
    void booksWithRunsInEveryStateAreClean() {
        List<Finding> findings = books.fsck();

        assertThat(findings)
                .allSatisfy(
                        finding -> assertThat(finding.rows()).as(finding.id()).isEmpty());
        assertThat(findings).extracting(Finding::id).contains("I1", "C2", "S11", "I24");
    }

    static Stream<Breakage> breakages() {
        return Breakage.all().stream();
    }

    @ParameterizedTest
    @MethodSource("breakages")
    void whatIsBrokenIsFound(Breakage breakage) {
        try (Handle handle = books.jdbi.open()) {
            handle.begin();
            handle.execute(WITHOUT_CONSTRAINTS);
            for (String statement : breakage.statements()) {
                assertThat(handle.execute(named(statement))).as(statement).isPositive();
            }
            List<Finding> findings = PostgresFsck.of(handle, OwnBooks.SETTINGS.claimsMax());
            handle.rollback();

            assertThat(findings)
                    .filteredOn(finding -> !finding.isClean())
                    .extracting(Finding::id)
                    .containsExactlyInAnyOrderElementsOf(breakage.found());
            assertThat(rows(findings, breakage.id()))
                    .anySatisfy(row -> assertThat(row).contains(named(breakage.named())));
        }
    }

    /** Every invariant is broken at least once. */
    @Test
    void everyInvariantIsBroken() {
        try (Handle handle = books.jdbi.open()) {
            assertThat(Breakage.all().stream().map(Breakage::id).distinct())
                    .containsExactlyInAnyOrderElementsOf(
                            PostgresFsck.of(handle, 1).stream().map(Finding::id).toList());
        }
    }

    @Test
    void claimsAreBoundedByTheSettingsOfTheLedger() {
        try (Handle handle = books.jdbi.open()) {
            assertThat(rows(PostgresFsck.of(handle, 1), "I26"))
                    .containsExactly(named(
                            "run_id={success} partition_id=0000 claims=2" + " recovery=REISSUE"));
        }
    }

    private static List<String> rows(List<Finding> findings, String id) {
        return findings.stream()
                .filter(finding -> finding.id().equals(id))
                .flatMap(finding -> finding.rows().stream())
                .toList();
    }

    private String named(String text) {
        String replaced = text;
        for (Map.Entry<String, RunScript> run : runs.entrySet()) {
            replaced =
                    replaced.replace("{" + run.getKey() + "}", run.getValue().id.toString());
        }
        return replaced;
    }
}
