package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

class DuckdbErrorsTest {
    private static final Path FILE = Path.of("/lake/a.parquet");
    private static final long ENOUGH = 1L << 30;

    @Test
    void writeOntoFullDiskIsDiskFull() {
        String said = "IO Error: Could not write file \"/lake/.a.parquet.tmp\": No space left on"
                + " device\n\nLINE 1: COPY";

        assertError(
                DuckdbErrors.write(new SQLException(said), FILE, ENOUGH),
                ErrorCode.DISK_FULL,
                "Cannot write file /lake/a.parquet: no space left (usable_bytes=1073741824)");
        assertError(
                DuckdbErrors.write(new IOException("Disk quota exceeded"), FILE, ENOUGH),
                ErrorCode.DISK_FULL,
                "Cannot write file /lake/a.parquet: no space left (usable_bytes=1073741824)");
    }

    @Test
    void writeErrorInAnotherLanguageIsKnownByTheSpaceThatIsLeft() {
        SQLException said =
                new SQLException("IO Error: Could not write file \"a\": Kein Platz mehr");

        assertError(
                DuckdbErrors.write(said, FILE, 0),
                ErrorCode.DISK_FULL,
                "Cannot write file /lake/a.parquet: no space left (usable_bytes=0)");
        assertError(
                DuckdbErrors.write(said, FILE, ENOUGH),
                ErrorCode.ENGINE_FAILED,
                "Cannot write file /lake/a.parquet: IO Error: Could not write file \"a\": Kein"
                        + " Platz mehr");
        assertError(
                DuckdbErrors.write(new SQLException("Binder Error: no"), FILE, 0),
                ErrorCode.ENGINE_FAILED,
                "Cannot write file /lake/a.parquet: Binder Error: no");
    }

    @Test
    void failedReadIsAnUnreadableFileUnlessMemoryRanOut() {
        assertError(
                DuckdbErrors.read(new SQLException("Invalid Input Error: No magic bytes"), FILE),
                ErrorCode.FILE_UNREADABLE,
                "Cannot read file /lake/a.parquet: Invalid Input Error: No magic bytes");
        assertError(
                DuckdbErrors.read(
                        new IOException(
                                "[errno -1] CDataJniException{errno=-1, message=IO Error: cut}"),
                        FILE),
                ErrorCode.FILE_UNREADABLE,
                "Cannot read file /lake/a.parquet: IO Error: cut");
        assertError(
                DuckdbErrors.read(new SQLException("Out of Memory Error: 1 GiB"), FILE),
                ErrorCode.ENGINE_MEMORY_EXCEEDED,
                "Cannot read file /lake/a.parquet: Out of Memory Error: 1 GiB");
    }

    @Test
    void failedScanIsTheEnginesUnlessTheDiskOfSpilledDataIsFull() {
        assertError(
                DuckdbErrors.scan(
                        new SQLException("IO Error: write: No space left on device"), "count keys"),
                ErrorCode.DISK_FULL,
                "Cannot count keys: IO Error: write: No space left on device");
        assertError(
                DuckdbErrors.scan(new SQLException("Out of Memory Error: x"), "count keys"),
                ErrorCode.ENGINE_MEMORY_EXCEEDED,
                "Cannot count keys: Out of Memory Error: x");
    }

    @Test
    void failedQueryKeepsTheLinesThatPointIntoIt() {
        assertError(
                DuckdbErrors.query(new SQLException("Binder Error: x\n\nLINE 1: select x")),
                ErrorCode.QUERY_INVALID,
                "Cannot run the query: Binder Error: x\n\nLINE 1: select x");
        assertError(
                DuckdbErrors.query(new SQLException("Out of Memory Error: x\n\nhints")),
                ErrorCode.ENGINE_MEMORY_EXCEEDED,
                "Cannot run the query: Out of Memory Error: x");
    }

    @Test
    void consequenceOfAnEarlierErrorTellsTheEarlierOne() {
        SQLException said = new SQLException(
                "FATAL Error: Failed: database has been invalidated because of a previous"
                        + " fatal error. The database must be restarted prior to being used"
                        + " again.\nOriginal error: \"cast of -1 failed\"");
        WeirException error = DuckdbErrors.read(said, FILE);

        assertError(
                error,
                ErrorCode.FILE_UNREADABLE,
                "Cannot read file /lake/a.parquet: INTERNAL Error: cast of -1 failed");
        assertThat(DuckdbErrors.isConsequence(error)).isTrue();
        assertThat(DuckdbErrors.isConsequence(DuckdbErrors.read(new IOException("x"), FILE)))
                .isFalse();
    }

    @Test
    void errorWithoutMessageIsNamedByItsKind() {
        assertError(
                DuckdbErrors.engine(new IOException(), "start the engine"),
                ErrorCode.ENGINE_FAILED,
                "Cannot start the engine: IOException");
    }

    private static void assertError(WeirException error, ErrorCode code, String message) {
        assertThat(error.code()).isEqualTo(code);
        assertThat(error).hasMessage(message);
        assertThat(error.getCause()).isNotNull();
    }
}
