package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Goal: a value arrives as it is or stops the table; a column never goes silently. */
class OutsideTypesTest {
    @TempDir
    private static Path directory;

    private static OutsideHouse house;

    @BeforeAll
    static void open() {
        house = new OutsideHouse(directory);
    }

    @AfterAll
    static void close() {
        house.close();
    }

    private static String insert(long place, String after) {
        return "SELECT 'c' AS op, nullif(row, row) AS before, row AS after, " + place
                + "::BIGINT AS lsn FROM (SELECT " + after + " AS row)";
    }

    @Test
    void everyTypeThatATableTakesArrivesAsItIs() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.copy("a.parquet", insert(10, """
                {'id': 1::SMALLINT, 'b': true, 'u': 4294967295::UINTEGER, 'l': -9::BIGINT,
                 'v': 18446744073709551615::UBIGINT, 'f': 1.5::FLOAT, 'd': 'nan'::DOUBLE,
                 'n': 123456.78::DECIMAL(8,2), 'w': -1.5::DECIMAL(38,10), 't': 'übel',
                 'x': '\\x00\\xFF'::BLOB,
                 'g': '00000000-0000-0000-0000-0000000000ff'::UUID, 'day': DATE '0001-01-01',
                 'h': TIME '23:59:59.999999', 's': TIMESTAMP '9999-12-31 23:59:59.999999',
                 'z': TIMESTAMPTZ '2026-11-30 12:00:00+02', 'nil': NULL::VARCHAR}"""));
        shelf.verified();
        assertThat(shelf.rows())
                .containsExactly("1 true 4294967295 -9 18446744073709551615 1.5 nan 123456.78"
                        + " -1.5000000000 übel \\x00\\xFF 00000000-0000-0000-0000-0000000000ff"
                        + " 0001-01-01 23:59:59.999999 9999-12-31 23:59:59.999999"
                        + " 2026-11-30 10:00:00+00 ~");
        assertThat(shelf.balances()).isTrue();
    }

    @Test
    void aTypeThatNoTableTakesIsNamed() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.copy("a.parquet", insert(10, "{'id': 1, 'tags': ['a', 'b']}"));
        assertThat(shelf.stopped(ErrorCode.LOG_UNFIT))
                .contains("column tags has a type that no table takes (type=VARCHAR[])");
    }

    @Test
    void columnsThatComeAndGoStopTheTable() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        shelf.copy("b.parquet", insert(20, "{'id': 2, 'name': 'x', 'more': 1}"));
        assertThat(shelf.stopped(ErrorCode.LOG_UNFIT))
                .contains("b.parquet", "column qty is missing in after")
                .contains("column more of after is none of the table");
        assertThat(shelf.rows()).containsExactly("1 anna 5");
    }

    @Test
    void widerTypesAreTakenAndValuesOutOfRangeAreNot() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        shelf.copy("b.parquet", insert(20, "{'id': 2::BIGINT, 'name': 'x', 'qty': 7::TINYINT}"));
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5", "2 x 7");
        shelf.copy("c.parquet", insert(30, "{'id': 3000000000::BIGINT, 'name': 'x', 'qty': 7}"));
        assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID)).contains("3000000000");
    }

    @Test
    void aRoundingIsNoConversion() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        shelf.copy("b.parquet", insert(20, "{'id': 2, 'name': 'x', 'qty': 7.5::DOUBLE}"));
        assertThat(shelf.stopped(ErrorCode.LOG_UNFIT))
                .contains("column qty is DOUBLE in after and int in the table");
    }

    @Test
    void yearsThatNoReaderOfLakesKnowsStopTheTable() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.copy("a.parquet", insert(10, "{'id': 1, 'day': DATE '10000-01-01'}"));
        assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID))
                .contains("column day has a value that no table takes");
    }
}
