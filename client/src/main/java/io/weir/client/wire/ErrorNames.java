package io.weir.client.wire;

import io.weir.core.error.ErrorCode;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Codes as problem documents spell them: flows of the older design know some by another name. */
public final class ErrorNames {
    private static final Map<ErrorCode, String> NAMES = Map.of(
            ErrorCode.LEDGER_UNREACHABLE, "DATABASE_UNAVAILABLE",
            ErrorCode.ROUTE_NOT_FOUND, "NOT_FOUND");

    private ErrorNames() {}

    public static String name(ErrorCode code) {
        return NAMES.getOrDefault(code, code.name());
    }

    /** The code of a name; empty if this version knows none. */
    public static Optional<ErrorCode> code(String name) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> name(code).equals(name))
                .findFirst();
    }
}
