package io.weir.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The walls between modules, as {@code docs/architecture.md} draws them. */
class WallsTest {
    /** A module may use the ones before it, never the ones after it. */
    private static final List<String> MODULES = List.of(
            "core", "ledger", "client", "server", "source", "capture", "table", "engine", "flow",
            "ingest", "app", "bench");

    private static final String[] HTTP = {
        "java.net.http..", "com.sun.net.httpserver..", "io.javalin..", "org.eclipse.jetty.."
    };

    /** What makes two runs of the same code differ, or ends the process. */
    private static final Set<String> OUTSIDE_WORLD = Set.of(
            "java.time.Instant.now",
            "java.time.LocalDate.now",
            "java.time.LocalDateTime.now",
            "java.time.OffsetDateTime.now",
            "java.time.ZonedDateTime.now",
            "java.time.Clock.systemUTC",
            "java.time.Clock.system",
            "java.time.Clock.systemDefaultZone",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.System.getenv",
            "java.lang.System.exit",
            "java.lang.Runtime.exit",
            "java.lang.Runtime.halt",
            "java.lang.Thread.sleep",
            "java.util.concurrent.TimeUnit.sleep",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID",
            "java.util.Random.<init>",
            "java.security.SecureRandom.<init>",
            "java.util.concurrent.ThreadLocalRandom.current");

    /** Type or package outside of app and bench, and why it may touch the outside world. */
    private static final Map<String, String> ADAPTERS = Map.of(
            "io.weir.ledger.embedded",
            "Starts, watches and stops a server process; no decision of the books is here.",
            "io.weir.ingest.commit.WriterDirectory",
            "Names a directory that no other process uses.",
            "io.weir.table.DurableOutputStream",
            "Names a file that nobody reads until it is complete.");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.weir");

    @Test
    void everyModuleIsLookedAt() {
        for (String module : MODULES.subList(0, MODULES.indexOf("bench"))) {
            assertThat(CLASSES.stream().filter(resideInAnyPackage(inside(module))))
                    .as(module)
                    .isNotEmpty();
        }
    }

    @Test
    void noModuleUsesOneBelowIt() {
        for (int i = 0; i < MODULES.size() - 1; i++) {
            String[] below = MODULES.subList(i + 1, MODULES.size()).stream()
                    .map(WallsTest::inside)
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(inside(MODULES.get(i)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(below)
                    .check(CLASSES);
        }
    }

    @Test
    void noModuleUsesTheTestkit() {
        never(outside("testkit"), "io.weir.testkit..");
    }

    @Test
    void coreDoesNoInputOrOutput() {
        never(
                in("core"),
                "java.io..",
                "java.net..",
                "java.nio.channels..",
                "java.nio.file..",
                "java.sql..",
                "javax.sql..",
                "org.slf4j..");
    }

    @Test
    void onlyTheTableModuleKnowsMoreOfIcebergThanItsTypesAndTransforms() {
        DescribedPredicate<JavaClass> moreThanTypes = resideInAnyPackage("org.apache.iceberg..")
                .and(describe(
                        "not a type or a schema",
                        type -> !type.getPackageName().startsWith("org.apache.iceberg.types")
                                && !type.getName().equals("org.apache.iceberg.Schema")));
        noClasses()
                .that(in("core")
                        .or(in("source"))
                        .or(in("capture"))
                        .or(in("engine"))
                        .or(in("flow")))
                .and(DescribedPredicate.not(resideInAnyPackage("io.weir.core.route")))
                .should()
                .dependOnClassesThat(moreThanTypes)
                .check(CLASSES);
        // Partition values are computed by Iceberg alone, and in one place.
        DescribedPredicate<JavaClass> moreThanTransforms = moreThanTypes.and(describe(
                "not a transform",
                type -> !type.getPackageName().startsWith("org.apache.iceberg.transforms")
                        && !type.getName().equals("org.apache.iceberg.util.SerializableFunction")));
        noClasses()
                .that(resideInAnyPackage("io.weir.core.route"))
                .should()
                .dependOnClassesThat(moreThanTransforms)
                .check(CLASSES);
    }

    @Test
    void ledgerKnowsNoHttpFilesOrEngines() {
        never(in("ledger"), HTTP);
        never(
                in("ledger"),
                "org.apache.arrow..",
                "org.apache.iceberg..",
                "org.apache.parquet..",
                "org.duckdb..");
    }

    /** What the ledger decides must not depend on where its books are kept. */
    @Test
    void onlyTheDatabaseAndTheServerOfTheLedgerSpeakSql() {
        DescribedPredicate<JavaClass> rest = in("ledger")
                .and(DescribedPredicate.not(resideInAnyPackage(
                        "io.weir.ledger.database..", "io.weir.ledger.embedded..")));
        never(
                rest,
                "java.sql..",
                "javax.sql..",
                "com.zaxxer..",
                "org.flywaydb..",
                "org.jdbi..",
                "org.postgresql..");
        never(
                rest.and(describe(
                        "do not open it",
                        type -> !type.getName().equals("io.weir.ledger.PostgresLedger"))),
                "io.weir.ledger.database..",
                "io.weir.ledger.embedded..");
    }

    /** It asks and decides nothing: what a ledger is made of is not its business. */
    @Test
    void clientKnowsOnlyTheWordsOfTheCore() {
        never(in("client"), "io.weir.ledger..", "java.sql..", "org.apache..", "org.duckdb..");
    }

    @Test
    void serverKnowsNoTablesFilesOrEngines() {
        never(
                in("server"),
                "org.apache.arrow..",
                "org.apache.iceberg..",
                "org.apache.parquet..",
                "org.duckdb..",
                "java.sql..",
                "io.weir.ledger.database..",
                "io.weir.ledger.embedded..");
    }

    /** What a route does must not depend on the protocol that brought the call. */
    @Test
    void onlyOnePackageKnowsTheHttpServer() {
        never(
                DescribedPredicate.not(resideInAnyPackage("io.weir.server.http..")),
                "io.javalin..",
                "org.eclipse.jetty..");
    }

    @Test
    void sourceKnowsNoLedgerAndNoTables() {
        never(in("source"), "io.weir.core.ledger..", "io.weir.ledger..", "org.duckdb..");
    }

    @Test
    void captureKnowsNoLedgerAndNoTables() {
        never(in("capture"), "io.weir.core.ledger..", "io.weir.ledger..", "org.duckdb..");
    }

    @Test
    void whatReadsTheLogStaysInCapture() {
        never(outside("capture"), "io.debezium..", "org.apache.kafka..");
        // Also not in what capture shows: its port is free of it.
        never(
                describe("are the port", type -> type.getPackageName().equals("io.weir.capture")),
                "io.debezium..",
                "org.apache.kafka..");
    }

    @Test
    void tableKnowsNoEngineSourceOrLedger() {
        never(
                in("table"),
                "io.weir.capture..",
                "io.weir.core.ledger..",
                "io.weir.ledger..",
                "io.weir.source..",
                "org.apache.arrow..",
                "org.duckdb..");
    }

    @Test
    void engineKnowsNoLedgerSourceOrTable() {
        never(
                in("engine"),
                "io.weir.capture..",
                "io.weir.core.ledger..",
                "io.weir.ledger..",
                "io.weir.source..",
                "io.weir.table..");
    }

    /** The library that clients embed is core, table and Parquet, and nothing of Hadoop. */
    @Test
    void ingestKnowsNoLedgerSourceEngineOrDatabase() {
        never(in("ingest"), HTTP);
        never(
                in("ingest"),
                "io.weir.ledger..",
                "io.weir.source..",
                "io.weir.engine..",
                "io.weir.flow..",
                "java.sql..",
                "javax.sql..",
                "org.apache.arrow..",
                "org.apache.hadoop..",
                "org.duckdb..",
                "org.postgresql..");
    }

    @Test
    void flowSpeaksNoSqlAndNoHttp() {
        never(in("flow"), HTTP);
        never(in("flow"), "java.sql..", "javax.sql..", "org.jdbi..", "org.postgresql..");
    }

    @Test
    void duckdbStaysInTheEngine() {
        never(outside("engine"), "org.duckdb..");
    }

    @Test
    void toolsOfTheBooksStayInTheLedger() {
        never(outside("ledger"), "org.jdbi..", "org.flywaydb..");
    }

    @Test
    void commandLineAndConfigurationStayInTheApp() {
        never(outside("app"), "picocli..", "org.snakeyaml..");
    }

    @Test
    void onlyAppAndAdaptersTouchTheOutsideWorld() {
        noClasses()
                .that(outside("app").and(outside("bench")).and(outside("testkit")))
                .and(describe("are no adapter", type -> adapterOf(type) == null))
                .should()
                .accessTargetWhere(outsideWorld())
                .check(CLASSES);
    }

    /** The list of adapters may only shrink. */
    @Test
    void everyAdapterIsStillNeeded() {
        for (Map.Entry<String, String> adapter : ADAPTERS.entrySet()) {
            assertThat(adapter.getValue()).matches("[A-Z].+[.]");
            assertThat(CLASSES.stream()
                            .filter(type -> adapter.getKey().equals(adapterOf(type)))
                            .flatMap(type -> type.getAccessesFromSelf().stream())
                            .filter(outsideWorld()))
                    .as(adapter.getKey())
                    .isNotEmpty();
        }
    }

    private static DescribedPredicate<JavaAccess<?>> outsideWorld() {
        return describe(
                "the clock, chance or the process is asked",
                access -> OUTSIDE_WORLD.contains(
                        access.getTargetOwner().getName() + "." + access.getName()));
    }

    /** The entry of {@link #ADAPTERS} that a type falls under. */
    private static @Nullable String adapterOf(JavaClass type) {
        return ADAPTERS.keySet().stream()
                .filter(name -> type.getName().equals(name)
                        || type.getName().startsWith(name + ".")
                        || type.getName().startsWith(name + "$"))
                .findFirst()
                .orElse(null);
    }

    private static void never(DescribedPredicate<JavaClass> who, String... packages) {
        noClasses()
                .that(who)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> in(String module) {
        return resideInAnyPackage(inside(module));
    }

    private static DescribedPredicate<JavaClass> outside(String module) {
        return DescribedPredicate.not(in(module));
    }

    private static String inside(String module) {
        return "io.weir." + module + "..";
    }
}
