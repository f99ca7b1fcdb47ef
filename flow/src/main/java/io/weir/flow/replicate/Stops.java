package io.weir.flow.replicate;

import io.weir.capture.ChangeStream;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.ErrorKind;
import io.weir.core.error.WeirException;
import io.weir.ledger.replica.Stop;

import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.Set;

/** Tells what passes by itself from what a person has to look at, and what to type then. */
final class Stops {
    /** Concerns the process and no table: whoever replicates next finds the tables as they are. */
    private static final Set<ErrorCode> OF_THE_PROCESS = EnumSet.of(
            ErrorCode.REPLICATION_BUSY,
            ErrorCode.REPLICATION_PAUSED,
            ErrorCode.LEDGER_UNREACHABLE,
            ErrorCode.INTERRUPTED);

    private static final Set<ErrorKind> PASSING =
            EnumSet.of(ErrorKind.TRANSIENT, ErrorKind.CONFLICT, ErrorKind.UNKNOWN_OUTCOME);

    /** The rows of the target, or what its log tells, are no longer to be trusted. */
    private static final Set<ErrorCode> ANEW = EnumSet.of(
            ErrorCode.TABLE_FOREIGN_WRITE,
            ErrorCode.CAPTURE_SCHEMA_CHANGED,
            ErrorCode.CAPTURE_IDENTITY_UNFIT,
            ErrorCode.CAPTURE_PUBLICATION_UNFIT,
            ErrorCode.SOURCE_VALUE_UNREPRESENTABLE,
            ErrorCode.LOG_FILE_LATE,
            ErrorCode.MERGE_WINDOW_GAP);

    private Stops() {}

    static boolean isOfTheProcess(WeirException error) {
        return OF_THE_PROCESS.contains(error.code());
    }

    /** More memory may be free the next time. */
    static boolean isPassing(WeirException error) {
        return error.code() == ErrorCode.ENGINE_MEMORY_EXCEEDED
                || (PASSING.contains(error.code().kind()) && !ANEW.contains(error.code()));
    }

    static Stop of(String target, WeirException error) {
        return ANEW.contains(error.code())
                ? anew(target, error)
                : of(error, "weir continue " + target + " --reason TEXT");
    }

    /** Of a table whose log ends: whatever the reason is, what comes behind is in no log. */
    static Stop anew(String target, WeirException error) {
        return of(error, "weir rebuild " + target);
    }

    private static Stop of(WeirException error, String command) {
        return new Stop(
                error.code().name(),
                error.text(),
                command,
                fact(error, ChangeStream.KEY),
                fact(error, ChangeStream.EXPECTED),
                fact(error, ChangeStream.FOUND));
    }

    private static @Nullable String fact(WeirException error, String name) {
        return error.details().get(name) instanceof String text ? text : null;
    }
}
