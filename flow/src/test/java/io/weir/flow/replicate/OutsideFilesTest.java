package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.run.Operator;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.Replica;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;

/** Goal: whatever happens to the files of somebody else, nothing is lost and nothing twice. */
class OutsideFilesTest {
    private static final Operator ADA = new Operator("ada", "looked at it");

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

    private static void resume(OutsideHouse.Shelf shelf) {
        house.ledger.replicas().resumed(shelf.name, "public." + shelf.name, ADA);
    }

    private static void rebuild(OutsideHouse.Shelf shelf) {
        house.ledger.replicas().rebuild(shelf.name, "public." + shelf.name, ADA);
    }

    @Test
    void whatOtherReadersOfLakesSkipIsSkipped() throws IOException {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("_day=1/a.parquet", "10 c ~ > 1 anna 5");
        shelf.write("_temporary/0/b.parquet", "20 c ~ > 2 bert 5");
        shelf.write(".c.parquet", "20 c ~ > 2 bert 5");
        shelf.write("_d.parquet", "20 c ~ > 2 bert 5");
        Files.createFile(shelf.files.resolve("empty.parquet"));
        Files.writeString(shelf.files.resolve("_SUCCESS"), "");
        Files.writeString(shelf.files.resolve("readme.txt"), "not Parquet");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5");
    }

    @Test
    void namesOfDirectoriesSayNothingAboutRows() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("op=d/lsn=99/a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5");
        assertThat(shelf.place().place()).isEqualTo(10);
    }

    @Test
    void aFileThatIsStillWrittenIsLookedAtAgain() throws IOException {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        shelf.write("b.parquet", "20 u 1 anna 5 > 1 anna 6");
        Path file = shelf.files.resolve("b.parquet");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));

        ReplicateReport late = shelf.once();
        assertThat(late.isVerified()).isFalse();
        assertThat(shelf.replica().stop()).isNull();
        assertThat(shelf.replica().failure()).contains("Cannot read file " + file);
        Files.write(file, whole);
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 6");
        assertThat(shelf.replica().failures()).isZero();
    }

    @Test
    void aFileThatIsNeverDoneStopsTheTableAndLosesNothing() throws IOException {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        Files.writeString(shelf.files.resolve("b.parquet"), "PAR1 and nothing more");
        for (int look = 1; look < 5; look++) {
            shelf.once();
            assertThat(shelf.replica().failures()).isEqualTo(look);
        }
        assertThat(shelf.stopped(ErrorCode.LOG_FILE_UNFINISHED))
                .contains("b.parquet")
                .contains("weir continue sales." + shelf.name);
        Files.delete(shelf.files.resolve("b.parquet"));
        shelf.write("c.parquet", "20 u 1 anna 5 > 1 anna 6");
        resume(shelf);
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 6");
    }

    @Test
    void earlierChangesThatComeLateStopTheTable() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "30 c ~ > 2 bert 7");
        shelf.verified();
        shelf.write("b.parquet", "20 c ~ > 3 cleo 1", "40 c ~ > 4 dora 1");
        assertThat(shelf.stopped(ErrorCode.LOG_FILE_LATE))
                .contains("b.parquet", "taken up to=30", "first=insert at place 20")
                .contains("weir rebuild sales." + shelf.name);
        assertThat(shelf.rows()).containsExactly("1 anna 5", "2 bert 7");

        rebuild(shelf);
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5", "2 bert 7", "3 cleo 1", "4 dora 1");
        assertThat(shelf.balances()).isTrue();
    }

    @Test
    void aFileThatChangedAfterItWasTakenStopsTheTableUntilItIsBack() throws IOException {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        Path file = shelf.files.resolve("a.parquet");
        byte[] taken = Files.readAllBytes(file);
        shelf.write("a.parquet", "10 c ~ > 1 anna 6");
        shelf.write("b.parquet", "20 u 1 anna 5 > 1 anna 7");
        assertThat(shelf.stopped(ErrorCode.LOG_FILE_CHANGED))
                .contains("a.parquet", "it has other content than when it was taken")
                .contains("weir continue sales." + shelf.name);
        assertThat(shelf.rows()).containsExactly("1 anna 5");

        Files.write(file, taken);
        resume(shelf);
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 7");
    }

    @Test
    void aFileThatIsGoneStopsTheTable() throws IOException {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        Files.delete(shelf.files.resolve("a.parquet"));
        assertThat(shelf.stopped(ErrorCode.LOG_FILE_CHANGED)).contains("a.parquet", "it is gone");
    }

    @Test
    void aFileThatWasOnlyTouchedIsTheSame() throws IOException {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        Files.setLastModifiedTime(
                shelf.files.resolve("a.parquet"),
                FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
        shelf.verified();
    }

    @Test
    void theGreatestPositionWaitsForTheRestOfIts() {
        OutsideHouse.Shelf shelf = house.shelf().incomplete();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "20 c ~ > 2 bert 7");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5");
        assertThat(shelf.place().place()).isEqualTo(10);
        // The other half of the transaction at 20, and the begin of another one.
        shelf.write("b.parquet", "20 c ~ > 3 cleo 1", "30 d 2 bert 7 > ~");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5", "2 bert 7", "3 cleo 1");
        shelf.write("c.parquet", "40 c ~ > 4 dora 1");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5", "3 cleo 1");
    }

    @Test
    void aDirectoryThatIsNotThereYetIsWaitedFor() throws IOException {
        OutsideHouse.Shelf shelf = house.shelf();
        Files.delete(shelf.files);
        assertThat(shelf.once().isVerified()).isFalse();
        assertThat(shelf.replica().failure()).contains("no such directory");
        Files.createDirectories(shelf.files);
        assertThat(shelf.once().isVerified()).isFalse();
        assertThat(shelf.replica().failure()).contains("no Parquet file lies below");
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5");
    }

    /** Windows are an hour apart, the pause of a table that failed is not. */
    @Test
    void aTableThatFailedIsTriedAgainBeforeTheNextWindow() throws IOException {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        Path file = shelf.files.resolve("a.parquet");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        Cancellation stop = new Cancellation();
        house.flow(stop).forever(shelf.job(), new ReplicateListener() {
            @Override
            public void failed(Replica replica) {
                try {
                    Files.write(file, whole);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                house.books.execute("update weir.replica set next_attempt_at = clock_timestamp()"
                        + " where target = '" + replica.target() + "'");
            }

            @Override
            public void merged(Replica replica, TableResult result) {
                stop.request();
            }
        });
        assertThat(shelf.rows()).containsExactly("1 anna 5");
    }
}
