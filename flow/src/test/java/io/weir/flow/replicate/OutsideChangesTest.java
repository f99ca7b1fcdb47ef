package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.engine.MergeStrategy;
import io.weir.engine.OutsideColumns;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Goal: what rows of somebody else mean is never guessed. */
class OutsideChangesTest {
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

    @Test
    void truncateEmptiesTheTableAtItsPlace() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "10 c ~ > 2 bert 7");
        shelf.verified();
        shelf.write("b.parquet", "20 u 1 anna 5 > 1 anna 6", "30 t", "40 c ~ > 1 anna 1");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 1");
        assertThat(shelf.balances()).isTrue();
    }

    @Test
    void twoChangesOfAKeyAtOnePositionNeedAnOrdinal() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "10 u 1 anna 5 > 1 anna 6");
        assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID))
                .contains("nobody tells which is the first", "position=10", "id=1", "a.parquet");

        OutsideHouse.Shelf numbered = house.shelf().numbered();
        numbered.write("a.parquet", "10 c ~ > 1 anna 5", "10 u 1 anna 5 > 1 anna 6");
        numbered.verified();
        assertThat(numbered.rows()).containsExactly("1 anna 6");
    }

    @Test
    void aTruncateBesideOtherChangesNeedsAnOrdinal() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "10 t");
        assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID)).contains("position=10");
        OutsideHouse.Shelf numbered = house.shelf().numbered();
        numbered.write("a.parquet", "10 t", "10 c ~ > 1 anna 5");
        numbered.verified();
        assertThat(numbered.rows()).containsExactly("1 anna 5");
    }

    @Test
    void keysMoveAndAreSwapped() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "10 c ~ > 2 bert 7");
        shelf.write("b.parquet", "20 u 1 anna 5 > 3 anna 5");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("2 bert 7", "3 anna 5");
        shelf.write("c.parquet", "30 u 2 bert 7 > 3 bert 7", "30 u 3 anna 5 > 2 anna 5");
        assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID)).contains("position=30");

        OutsideHouse.Shelf numbered = house.shelf().numbered();
        numbered.write("a.parquet", "10 c ~ > 2 bert 7", "10 c ~ > 3 anna 5");
        numbered.write("b.parquet", "30 u 2 bert 7 > 3 bert 7", "30 u 3 anna 5 > 2 anna 5");
        numbered.verified();
        assertThat(numbered.rows()).containsExactly("2 anna 5", "3 bert 7");
    }

    @Test
    void oneOrdinalTellsOneChange() {
        OutsideHouse.Shelf shelf = house.shelf().numbered();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.write("b.parquet", "10 c ~ > 2 bert 7");
        assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID)).contains("one ordinal");
    }

    @Test
    void equalRowsWithoutAKeyAreToldApartByOrdinals() {
        OutsideHouse.Shelf shelf = house.shelf().numbered().key();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "10 c ~ > 1 anna 5", "10 c ~ > 1 anna 5");
        shelf.write("copy.parquet", "10 c ~ > 1 anna 5", "10 c ~ > 1 anna 5");
        shelf.write("b.parquet", "20 d 1 anna 5 > ~");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5", "1 anna 5");
    }

    @Test
    void anUpdateWithoutTheRowBeforeNeedsThePrimaryKey() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "20 u ~ > 1 anna 6");
        assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID))
                .contains("it does not tell the row before", "position=20", "id=1");

        OutsideHouse.Shelf keyed = house.shelf().by(MergeStrategy.PRIMARY_KEY);
        keyed.write("a.parquet", "10 c ~ > 1 anna 5", "20 u ~ > 1 anna 6", "10 c ~ > 2 bert 7");
        keyed.write("b.parquet", "30 d 2 ~ ~ > ~");
        keyed.verified();
        assertThat(keyed.rows()).containsExactly("1 anna 6");
        keyed.write("copy.parquet", "30 d 2 ~ ~ > ~");
        keyed.verified();
    }

    @Test
    void whatARowMustTellIsNotGuessed() {
        String[][] wrong = {
            {"10 x ~ > 1 anna 5", "op=x"},
            {"10 c 1 anna 5 > 1 anna 5", "such a change tells one row, after it"},
            {"10 c ~ > ~", "such a change tells one row, after it"},
            {"10 d ~ > ~", "such a change tells one row, before it"},
            {"10 u 1 anna 5 > ~", "such a change tells a row after it"},
            {"10 c ~ > ~ anna 5", "column id is NULL"},
            {"0 c ~ > 1 anna 5", "a position is neither"},
        };
        for (String[] each : wrong) {
            OutsideHouse.Shelf shelf = house.shelf();
            shelf.write("a.parquet", each[0]);
            assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID)).as(each[0]).contains(each[1]);
        }
    }

    @Test
    void valuesThatWereNotLoggedComeFromTheRowBefore() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.write("b.parquet", "20 u 1 anna 5 > 1 __debezium_unavailable_value 6");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 6");
        assertThat(shelf.balances()).isTrue();
    }

    @Test
    void positionsMayBeTexts() {
        OutsideHouse.Shelf shelf = house.shelf()
                .with(new OutsideColumns(
                        "op", "before", "after", "source.lsn", null, "tx.id", "ts_us"));
        String row = OutsideHouse.Shelf.STRUCT;
        String head = "SELECT 'c' AS op, NULL::" + row + " AS before, {'id': ";
        String middle = ", 'name': 'n', 'qty': 1}::" + row + " AS after, {'lsn': '";
        String tail = "'} AS source, {'id': 't7'} AS tx, 1764500000000001 AS ts_us";
        shelf.copy(
                "a.parquet",
                head + "1" + middle + "0/FFFFFFFF" + tail + " UNION ALL " + head + "2" + middle
                        + "1/0" + tail + " UNION ALL " + head + "3" + middle + "0/16b3748"
                        + tail);
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 n 1", "2 n 1", "3 n 1");
        assertThat(shelf.place().position()).isEqualTo("1/0");
        assertThat(shelf.place().place()).isEqualTo(1L << 32);
        assertThat(shelf.logged("transaction || ' ' || epoch_us(committed) || ' ' || place"))
                .containsExactly(
                        "t7 1764500000000001 23803720",
                        "t7 1764500000000001 4294967295",
                        "t7 1764500000000001 4294967296");
    }
}
