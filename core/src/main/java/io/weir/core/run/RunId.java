package io.weir.core.run;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.util.UUID;
import java.util.regex.Pattern;

/** Identity of one run. */
public record RunId(UUID value) {
    private static final Pattern FORM =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /**
     * Reads the canonical text form.
     *
     * @throws WeirException {@link ErrorCode#RUN_NOT_FOUND} if the text is no run id
     */
    public static RunId parse(String text) {
        // UUID.fromString alone takes 1-1-1-1-1 and cuts digits that are too many.
        if (!FORM.matcher(text).matches()) {
            throw new WeirException(
                    ErrorCode.RUN_NOT_FOUND,
                    "Cannot find run " + text + ": not a run id (a run id is a UUID)");
        }
        return new RunId(UUID.fromString(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
