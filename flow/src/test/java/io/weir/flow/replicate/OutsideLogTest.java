package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.Replica;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Goal: a directory that somebody else writes is merged and audited as a log of ours is. */
class OutsideLogTest {
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
    void filesAreMergedWindowAfterWindow() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("day=1/a.parquet", "10 c ~ > 1 anna 5", "10 c ~ > 2 bert 7");
        shelf.write("day=1/b.parquet", "20 u 1 anna 5 > 1 anna 6", "30 d 2 bert 7 > ~");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 6");

        shelf.write("day=2/a.parquet", "40 INSERT ~ > 3 cleo 1", "50 UPDATE 1 anna 6 > 1 anna 9");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 9", "3 cleo 1");
        assertThat(shelf.balances()).isTrue();
        assertThat(shelf.logged("committed > TIMESTAMPTZ '2025-01-01'")).containsOnly("true");
        assertThat(shelf.place().position()).isEqualTo("50");
    }

    @Test
    void nothingNewChangesNothing() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "20 u 1 anna 5 > 1 anna 6");
        shelf.verified();
        long snapshot = shelf.snapshot();
        shelf.verified();
        // The same batch twice: once as it was, once in another order with one change more.
        shelf.write("copy.parquet", "10 c ~ > 1 anna 5", "20 u 1 anna 5 > 1 anna 6");
        shelf.write("again.parquet", "20 u 1 anna 5 > 1 anna 6", "10 c ~ > 1 anna 5");
        shelf.verified();
        assertThat(shelf.snapshot()).isEqualTo(snapshot);
        assertThat(shelf.rows()).containsExactly("1 anna 6");
        shelf.write("more.parquet", "20 u 1 anna 5 > 1 anna 6", "30 u 1 anna 6 > 1 anna 7");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 7");
    }

    @Test
    void aLostUpdateFollowedByLaterOnesStopsWithNothingPublished() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "10 c ~ > 2 bert 7");
        shelf.verified();
        shelf.write("b.parquet", "30 u 1 anna 6 > 1 anna 7", "40 u 2 bert 7 > 2 bert 8");
        String stop = shelf.stopped(ErrorCode.MERGE_CHAIN_BROKEN);
        assertThat(stop).contains("sales." + shelf.name, "id=1").contains("weir rebuild sales.");
        assertThat(shelf.rows()).containsExactly("1 anna 5", "2 bert 7");
    }

    @Test
    void aContinuousJobTakesWhatComes() {
        OutsideHouse.Shelf shelf = house.shelf().continuous();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        Cancellation stop = new Cancellation();
        house.flow(stop).forever(shelf.job(), new ReplicateListener() {
            @Override
            public void merged(Replica replica, TableResult result) {
                if (result.to().place() == 10) {
                    shelf.write("b.parquet", "20 u 1 anna 5 > 1 anna 6");
                } else {
                    stop.request();
                }
            }
        });
        assertThat(shelf.rows()).containsExactly("1 anna 6");
    }
}
