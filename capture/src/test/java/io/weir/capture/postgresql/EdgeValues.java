package io.weir.capture.postgresql;

import io.weir.testkit.postgresql.TestDatabase;

import java.util.ArrayList;
import java.util.List;

/** Every type that is read, each a table with the values at its edges and a NULL. */
final class EdgeValues {
    record Case(String table, String type, List<String> literals) {}

    static final List<Case> CASES = List.of(
            of("t_smallint", "smallint", "-32768", "-1", "0", "32767"),
            of("t_integer", "integer", "-2147483648", "-1", "0", "2147483647"),
            of("t_bigint", "bigint", "-9223372036854775808", "-1", "0", "9223372036854775807"),
            of(
                    "t_real",
                    "real",
                    "'NaN'",
                    "'Infinity'",
                    "'-Infinity'",
                    "'-0'",
                    "1e-45",
                    "3.4028235e38",
                    "5.6",
                    "0.1",
                    "123.456"),
            of(
                    "t_double",
                    "double precision",
                    "'NaN'",
                    "'Infinity'",
                    "'-Infinity'",
                    "'-0'",
                    "5e-324",
                    "0.1",
                    "1.7976931348623157e308",
                    "157640.87"),
            of(
                    "t_money",
                    "numeric(12,2)",
                    "0.00",
                    "1.5",
                    "-1.05",
                    "9999999999.99",
                    "-9999999999.99",
                    "100000000",
                    "0.01",
                    "157640.87"),
            of("t_wide", "numeric(38,0)", "9".repeat(38), "-" + "9".repeat(38), "10000", "0"),
            of(
                    "t_fraction",
                    "numeric(38,38)",
                    "0." + "9".repeat(38),
                    "-0." + "0".repeat(37) + "1",
                    "0.5"),
            of("t_small", "numeric(3,5)", "0.00999", "-0.00001"),
            of("t_rounded", "numeric(5,-2)", "-9999900", "1234567", "49"),
            of("t_domain", "price", "17.5", "17.50", "0"),
            of(
                    "t_text",
                    "text",
                    "''",
                    "'a'",
                    "'Zażółć 𝄞 e\u0301 \u200f'",
                    "E'tab\\t nl\\n \\\\'",
                    "repeat('ä', 100000)",
                    "'I ı İ i'",
                    "'__debezium_unavailable_value'",
                    "'NULL'"),
            of("t_varchar", "character varying(10)", "'a  '", "''"),
            of("t_char", "character(5)", "'ab'", "''", "'ü'"),
            of("t_code", "code", "'x'"),
            of("t_bpchar", "bpchar", "'ab  '"),
            of("t_name", "name", "'pg_class'"),
            of("t_onechar", "\"char\"", "'x'", "''", "'\\303'"),
            of("t_mood", "mood", "'sad'", "'überglücklich'", "'it''s'"),
            of(
                    "t_json",
                    "json",
                    "'{ \"a\" :1, \"a\": 2}'",
                    "'{\"b\":1.0,\"a\":9007199254740993}'",
                    "'null'"),
            of("t_jsonb", "jsonb", "'{\"b\":1.0,\"a\":null}'", "'\"\"'", "'1e400'", "'null'"),
            of(
                    "t_date",
                    "date",
                    "'0001-01-01'",
                    "'1582-10-10'",
                    "'1970-01-01'",
                    "'2000-02-29'",
                    "'2011-12-30'",
                    "'9999-12-31'"),
            of("t_time", "time", "'00:00:00'", "'23:59:59.999999'", "'00:00:00.000001'"),
            of("t_time3", "time(3)", "'01:02:03.4567'"),
            of(
                    "t_timestamp",
                    "timestamp",
                    "'0001-01-01 00:00:00'",
                    "'1582-10-10 01:02:03'",
                    "'1900-01-01 00:00:00'",
                    "'1969-12-31 23:59:59.999999'",
                    "'1986-08-26 00:30:00'",
                    "'2011-12-30 12:00:00'",
                    "'2024-03-10 02:30:00'",
                    "'9999-12-31 23:59:59.999999'"),
            of("t_timestamp3", "timestamp(3)", "'2024-01-01 00:00:00.1235'"),
            of(
                    "t_instant",
                    "timestamptz",
                    "'0001-01-01 00:00:00+00'",
                    "'1582-10-10 01:02:03+00'",
                    "'1892-07-04 12:00:00+00'",
                    "'1900-01-01 00:00:00+00'",
                    "'1969-12-31 23:59:59.999999+00'",
                    "'2024-01-01 00:00:00.1+00'",
                    "'2026-11-29 12:00:00.000001+05:30'",
                    "'1986-08-26 00:30:00 Asia/Shanghai'",
                    "'9999-12-31 23:59:59.999999Z'"),
            of("t_instant0", "timestamptz(0)", "'2024-01-01 00:00:00.6+00'"),
            of("t_boolean", "boolean", "true", "false"),
            of("t_bytea", "bytea", "''", "'\\x00ff10'", "decode(repeat('ab', 20000), 'hex')"),
            of(
                    "t_uuid",
                    "uuid",
                    "'00000000-0000-0000-0000-000000000001'",
                    "'FFEEDDCC-BBAA-9988-7766-554433221100'"));

    private EdgeValues() {}

    private static Case of(String table, String type, String... literals) {
        return new Case("public." + table, type, List.of(literals));
    }

    static String[] tables() {
        return CASES.stream().map(Case::table).toArray(String[]::new);
    }

    static void create(TestDatabase database) {
        database.execute(
                "create domain price as numeric(12,2)",
                "create domain code as character(5)",
                "create type mood as enum ('sad', 'überglücklich', 'it''s')");
        for (Case one : CASES) {
            database.execute("create table " + one.table + " (id int primary key, v " + one.type
                    + ", other int not null default 7)");
        }
    }

    /** All rows in one transaction. */
    static void insert(TestDatabase database) {
        List<String> statements = new ArrayList<>();
        for (Case one : CASES) {
            int id = 0;
            for (String literal : one.literals) {
                statements.add(
                        "insert into " + one.table + " values (" + ++id + ", " + literal + ")");
            }
            statements.add("insert into " + one.table + " values (" + ++id + ", null)");
        }
        database.execute("begin; " + String.join("; ", statements) + "; commit");
    }

    /** Updates that change nothing, all in one transaction. */
    static void touch(TestDatabase database) {
        List<String> statements = CASES.stream()
                .map(one -> "update " + one.table + " set other = other")
                .toList();
        database.execute("begin; " + String.join("; ", statements) + "; commit");
    }
}
