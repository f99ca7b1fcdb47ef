package io.weir.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.jdbc.UncheckedInterruptedException;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

class IcebergErrorsTest {
    static List<Arguments> types() {
        IOException full = new IOException("Cannot write file /lake/f: No space left on device");
        return List.of(
                arguments(new NoSuchTableException("gone"), ErrorCode.TARGET_TABLE_NOT_FOUND),
                arguments(new CommitFailedException("moved"), ErrorCode.TABLE_MOVED),
                arguments(
                        new CommitStateUnknownException(new IOException("cut")),
                        ErrorCode.TABLE_COMMIT_UNKNOWN),
                arguments(
                        new UncheckedInterruptedException(new InterruptedException(), "stop"),
                        ErrorCode.INTERRUPTED),
                arguments(new RejectedExecutionException("over"), ErrorCode.INTERRUPTED),
                arguments(new NotFoundException("no file"), ErrorCode.FILE_UNREADABLE),
                arguments(
                        new RuntimeIOException(new EOFException("short"), "read"),
                        ErrorCode.FILE_UNREADABLE),
                arguments(new ValidationException("bad"), ErrorCode.TABLE_COMMIT_FAILED),
                arguments(new AlreadyExistsException("there"), ErrorCode.TABLE_COMMIT_FAILED),
                arguments(
                        new RuntimeIOException(new IOException("Permission denied"), "write"),
                        ErrorCode.TABLE_COMMIT_FAILED),
                arguments(new InvalidPathException("a", "bad"), ErrorCode.TABLE_COMMIT_FAILED),
                arguments(new IllegalArgumentException("no"), ErrorCode.TABLE_COMMIT_FAILED),
                arguments(new IllegalStateException("no"), ErrorCode.TABLE_COMMIT_FAILED),
                arguments(new NullPointerException("ours"), ErrorCode.INTERNAL),
                arguments(new RuntimeIOException(full, "write"), ErrorCode.DISK_FULL),
                arguments(
                        new RuntimeIOException(
                                new IOException("/lake/f: Disk quota exceeded"), "write"),
                        ErrorCode.DISK_FULL));
    }

    @ParameterizedTest
    @MethodSource("types")
    void classifiesByType(Exception thrown, ErrorCode code) {
        WeirException error = IcebergErrors.of("Cannot read table a.b", thrown);

        assertThat(error.code()).isEqualTo(code);
        assertThat(error.text()).startsWith("Cannot read table a.b: ");
        assertThat(error).hasCause(thrown);
    }

    @ParameterizedTest
    @CsvSource({
        "08001, CATALOG_UNREACHABLE",
        "08006, CATALOG_UNREACHABLE",
        "'', CATALOG_UNREACHABLE",
        "57P01, CATALOG_UNREACHABLE",
        "57P02, CATALOG_UNREACHABLE",
        "57P03, CATALOG_UNREACHABLE",
        "53300, CATALOG_UNREACHABLE",
        "28P01, CATALOG_UNREACHABLE",
        "3D000, CATALOG_UNREACHABLE",
        "42501, TABLE_COMMIT_FAILED",
        "23505, TABLE_COMMIT_FAILED",
        "      , TABLE_COMMIT_FAILED"
    })
    void classifiesBySqlState(String state, ErrorCode code) {
        SQLException sql = new SQLException("refused", state);

        WeirException error = IcebergErrors.of(
                "Cannot read table a.b", new UncheckedSQLException(sql, "Unknown failure"));

        assertThat(error.code()).isEqualTo(code);
        assertThat(error.text())
                .isEqualTo("Cannot read table a.b: refused (sqlstate="
                        + (state == null ? "none" : state) + ")");
    }

    @Test
    void wrongPasswordSaysWhatToCheck() {
        WeirException error =
                IcebergErrors.of("Cannot open catalog c", new SQLException("no", "28P01"));

        assertThat(error.hint()).isEqualTo("Check database, user and password of the catalog.");
    }

    @Test
    void passesOurOwnErrorsOn() {
        WeirException own = new WeirException(ErrorCode.TABLE_MOVED, "Cannot x: y");

        assertThat(IcebergErrors.of("Cannot read table a.b", own)).isSameAs(own);
    }

    @Test
    void exceptionWithoutMessageIsNamedByItsType() {
        assertThat(IcebergErrors.of("Cannot x", new NullPointerException()).text())
                .isEqualTo("Cannot x: NullPointerException");
    }
}
