package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.LossPolicy;
import io.weir.source.Refusal;
import io.weir.source.RowSecurity;
import io.weir.source.ServerFacts;
import io.weir.source.SourceTable;
import io.weir.source.TableInspection;
import io.weir.source.TableSpec;
import io.weir.source.UnsupportedColumn;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class InspectionTest {
    private static final Shop SHOP = new Shop();
    private static final String CLERK = SHOP.database.name() + "_clerk";

    @BeforeAll
    static void createTables() {
        SHOP.database.execute(
                "create table orders (id bigint primary key, note text,"
                        + " amount numeric(12,2) not null)",
                "insert into orders select i, 'note ' || i, i from generate_series(1, 1000) i",
                "analyze orders",
                "create role " + CLERK + " login",
                "revoke all on schema public from public");
    }

    private static TableInspection inspect(String table) {
        return inspect(TableSpec.of(table));
    }

    private static TableInspection inspect(TableSpec spec) {
        return SHOP.source().inspect(spec);
    }

    private static void assertRefused(TableInspection inspection, ErrorCode code, String message) {
        assertThat(inspection.table()).isNull();
        assertThat(inspection.refusals())
                .extracting(Refusal::code, Refusal::message)
                .containsExactly(tuple(code, message));
    }

    @Test
    void describesATableThatCanBeRead() {
        TableInspection inspection = inspect("orders");

        assertThat(inspection.refusals()).isEmpty();
        SourceTable table = Objects.requireNonNull(inspection.table());
        assertThat(table.qualifiedName()).isEqualTo("public.orders");
        assertThat(table.schema().names()).containsExactly("id", "note", "amount");
        assertThat(table.primaryKey()).containsExactly("id");
        assertThat(table.columns()).extracting("required").containsExactly(true, false, true);
        assertThat(inspection.estimatedRows()).isEqualTo(1000);
        assertThat(inspection.estimatedBytes()).isBetween(40_000L, 200_000L);
        assertThat(inspection.snapshotKind()).isEqualTo("postgresql-snapshot");
        assertThat(inspection.splitKind()).isEqualTo("ctid");
        assertThat(inspection.isSplitPossible()).isTrue();
        assertThat(inspection.relationKind()).isEqualTo("table");
        assertThat(inspection.privileges())
                .containsExactly(
                        "USAGE on schema \"public\": granted", "SELECT on public.orders: granted");
        assertThat(inspection.rowSecurity()).isEqualTo(RowSecurity.NONE);
        assertThat(inspection.server().role()).isEqualTo(ServerFacts.Role.PRIMARY);
        assertThat(inspection.server().encoding()).isEqualTo("UTF8");
        assertThat(inspection.server().versionNumber()).isGreaterThan(120_000);
    }

    @Test
    void suggestsTablesThatExist() {
        TableInspection inspection = inspect("public.ordres");
        assertRefused(
                inspection,
                ErrorCode.SOURCE_TABLE_NOT_FOUND,
                "Cannot read table public.ordres: it does not exist");
        assertThat(inspection.refusals().get(0).hint()).isEqualTo("Did you mean public.orders?");
        assertThatThrownBy(inspection::tableOrThrow)
                .isInstanceOf(WeirException.class)
                .hasMessage("Cannot read table public.ordres: it does not exist");
    }

    @Test
    void namesEveryColumnThatIsNotRead() {
        SHOP.database.execute(
                "create type pair as (a int, b int)",
                "create domain tags as text[]",
                "create table odd (id int, a numeric, b int[], c interval, d money, e timetz,"
                        + " f bit(3), g inet, h int4range, i pair, j xml, k tags,"
                        + " l numeric(39,2), m oid, n point)");
        TableInspection inspection = inspect("odd");
        assertThat(inspection.unsupported())
                .containsExactly(
                        new UnsupportedColumn("a", "numeric"),
                        new UnsupportedColumn("b", "integer[]"),
                        new UnsupportedColumn("c", "interval"),
                        new UnsupportedColumn("d", "money"),
                        new UnsupportedColumn("e", "time with time zone"),
                        new UnsupportedColumn("f", "bit(3)"),
                        new UnsupportedColumn("g", "inet"),
                        new UnsupportedColumn("h", "int4range"),
                        new UnsupportedColumn("i", "pair"),
                        new UnsupportedColumn("j", "xml"),
                        new UnsupportedColumn("k", "tags"),
                        new UnsupportedColumn("l", "numeric(39,2)"),
                        new UnsupportedColumn("m", "oid"),
                        new UnsupportedColumn("n", "point"));
        assertThat(inspection.refusals()).hasSize(14);
        assertThat(inspection.refusals().get(0).message())
                .isEqualTo("Cannot read table public.odd: the type of column a has no precision"
                        + " (type=numeric)");
        assertThat(inspection.refusals().get(1))
                .isEqualTo(new Refusal(
                        ErrorCode.SOURCE_TYPE_UNSUPPORTED,
                        "Cannot read table public.odd: the type of column b is not read"
                                + " (type=integer[])"));
    }

    @Test
    void readsATableWithoutTheColumnsThatAreLeftOut() {
        SHOP.database.execute("create table partly (id int primary key, span interval, x int)");
        TableInspection inspection =
                inspect(new TableSpec("partly", List.of("span", "id"), Map.of()));
        SourceTable table = inspection.tableOrThrow();
        assertThat(table.schema().names()).containsExactly("x");
        assertThat(table.columns().get(0).fieldId()).isEqualTo(1);
        assertThat(table.primaryKey()).isEmpty();
        assertThat(inspection.notes())
                .contains("The primary key is not used, because one of its columns is left out.");
    }

    @Test
    void suggestsColumnsThatExist() {
        TableInspection inspection = inspect(new TableSpec("orders", List.of("notes"), Map.of()));
        assertRefused(
                inspection,
                ErrorCode.SOURCE_COLUMN_NOT_FOUND,
                "Cannot read table public.orders: it has no column notes (named in=exclude)");
        assertThat(inspection.refusals().get(0).hint()).isEqualTo("Did you mean note?");
        assertRefused(
                inspect(policy("amuont", LossPolicy.NULL)),
                ErrorCode.SOURCE_COLUMN_NOT_FOUND,
                "Cannot read table public.orders: it has no column amuont (named in=policies)");
    }

    private static TableSpec policy(String column, LossPolicy policy) {
        return new TableSpec("orders", List.of(), Map.of(column, policy));
    }

    @Test
    void refusesToMakeNullOfAColumnThatForbidsIt() {
        assertRefused(
                inspect(policy("amount", LossPolicy.NULL)),
                ErrorCode.CONFIG_INVALID,
                "Cannot read table public.orders: policy null of column amount cannot apply,"
                        + " because the column is NOT NULL");
    }

    @Test
    void notesPoliciesThatNeverApply() {
        assertThat(inspect(policy("note", LossPolicy.NULL)).notes())
                .contains("The policy of column note never applies: its type holds every value.");
    }

    @Test
    void refusesWhenNothingIsLeft() {
        SHOP.database.execute("create table single (id int)");
        assertRefused(
                inspect(new TableSpec("single", List.of("id"), Map.of())),
                ErrorCode.CONFIG_INVALID,
                "Cannot read table public.single: no column is left to read");
    }

    @Test
    void refusesColumnsThatDifferOnlyInCase() {
        SHOP.database.execute("create table cases (\"Id\" int, id int, \"İ\" int)");
        assertRefused(
                inspect("cases"),
                ErrorCode.CONFIG_INVALID,
                "Cannot read table public.cases: columns Id and id differ only in case");
    }

    @Test
    void namesTheGrantsThatAreMissing() {
        TableInspection inspection = SHOP.source(CLERK, null).inspect(TableSpec.of("orders"));
        assertThat(inspection.refusals())
                .containsExactly(
                        new Refusal(
                                ErrorCode.SOURCE_PRIVILEGE_MISSING,
                                "Cannot read table public.orders: the user may not use its schema"
                                        + " (user=" + CLERK + ", missing=USAGE)",
                                "Run as the owner: GRANT USAGE ON SCHEMA \"public\" TO \"" + CLERK
                                        + "\";"),
                        new Refusal(
                                ErrorCode.SOURCE_PRIVILEGE_MISSING,
                                "Cannot read table public.orders: the user may not read it (user="
                                        + CLERK + ", missing=SELECT)",
                                "Run as the owner: GRANT SELECT ON \"public\".\"orders\" TO \""
                                        + CLERK + "\"; a grant of single columns is not enough to"
                                        + " lock the table."));
        assertThat(inspection.privileges())
                .containsExactly(
                        "USAGE on schema \"public\": missing", "SELECT on public.orders: missing");
    }

    @Test
    void refusesATableWhosePoliciesHideRows() {
        SHOP.database.execute(
                "create schema guarded",
                "create table guarded.secrets (id int)",
                "alter table guarded.secrets enable row level security",
                "create policy odd_only on guarded.secrets using (id % 2 = 1)",
                "create view guarded.peek with (security_invoker = true) as"
                        + " select * from guarded.secrets",
                "grant usage on schema guarded to " + CLERK,
                "grant select on all tables in schema guarded to " + CLERK);
        TableInspection hidden = SHOP.source(CLERK, null).inspect(TableSpec.of("guarded.secrets"));
        assertRefused(
                hidden,
                ErrorCode.SOURCE_ROWS_HIDDEN,
                "Cannot read table guarded.secrets: its row-level security would hide rows (user="
                        + CLERK + ")");
        assertThat(hidden.rowSecurity()).isEqualTo(RowSecurity.HIDES_ROWS);
        assertThat(inspect("guarded.secrets").rowSecurity()).isEqualTo(RowSecurity.BYPASSED);
        assertRefused(
                SHOP.source(CLERK, null).inspect(TableSpec.of("guarded.peek")),
                ErrorCode.SOURCE_ROWS_HIDDEN,
                "Cannot inspect table guarded.peek: query would be affected by row-level security"
                        + " policy for table \"secrets\" (sqlstate=42501)");
    }

    @Test
    void judgesEveryKindOfRelation() {
        SHOP.database.execute(
                "create table parted (id int primary key) partition by range (id)",
                "create table parted_a partition of parted for values from (0) to (10)",
                "create table parent (id int primary key)",
                "create table child (extra int) inherits (parent)",
                "create view peek as select * from orders",
                "create materialized view stored as select * from orders",
                "create extension file_fdw",
                "create server files foreign data wrapper file_fdw",
                "create foreign table outside (line text) server files"
                        + " options (filename '/dev/null')",
                "create view far as select * from outside",
                "create sequence counter");
        assertThat(inspect("parted").relationKind()).isEqualTo("partitioned table");
        assertThat(inspect("parted").tableOrThrow().primaryKey()).containsExactly("id");
        assertThat(inspect("parted").splitKind()).isEqualTo("ctid");
        assertThat(inspect("parent").tableOrThrow().primaryKey()).isEmpty();
        assertThat(inspect("parent").notes())
                .contains("Tables that inherit from this one are read with it, as SELECT does (1);"
                        + " its primary key does not bind them.");
        assertThat(inspect("peek").splitKind()).isEqualTo("none");
        assertThat(inspect("peek").estimatedRows()).isEqualTo(1000);
        assertThat(inspect("peek").estimatedBytes()).isGreaterThan(1000);
        assertThat(inspect("stored").splitKind()).isEqualTo("ctid");
        assertRefused(
                inspect("far"),
                ErrorCode.CONFIG_INVALID,
                "Cannot read table public.far: foreign tables are not part of the snapshot (foreign"
                        + " table=public.outside)");
        assertRefused(
                inspect("counter"),
                ErrorCode.CONFIG_INVALID,
                "Cannot read table public.counter: it is no table and no view");
    }

    @Test
    void estimatesNothingForAnEmptyTable() {
        SHOP.database.execute("create table nothing (id int)");
        assertThat(inspect("nothing").estimatedRows()).isZero();
        assertThat(inspect("nothing").estimatedBytes()).isZero();
    }

    @Test
    void trustsOnlyValidatedNotNull() {
        SHOP.database.execute("create table loose (a int check (a is not null), b int not null)");
        assertThat(inspect("loose").tableOrThrow().columns())
                .extracting("required")
                .containsExactly(false, true);
    }

    @Test
    void inspectsAThousandColumns() {
        String columns = IntStream.range(0, 1_000)
                .mapToObj(i -> "\"column " + i + "\" int")
                .collect(Collectors.joining(", "));
        SHOP.database.execute("create table wide (" + columns + ")");
        assertThat(inspect("wide").tableOrThrow().columns()).hasSize(1_000);
    }
}
