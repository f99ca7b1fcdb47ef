package io.weir.core.run;

/**
 * Why something failed.
 *
 * @param stage what was being done, such as {@code EXTRACT}
 * @param code an error code, ours or the source's
 * @param message for people; at most 2,000 characters are kept
 */
public record Failure(String stage, String code, String message) {
    private static final int MESSAGE_MAX = 2000;

    public Failure {
        if (message.length() > MESSAGE_MAX) {
            int end = MESSAGE_MAX - 1;
            // Half of a surrogate pair is no text: a database refuses it.
            if (Character.isHighSurrogate(message.charAt(end - 1))) {
                end--;
            }
            message = message.substring(0, end) + "…";
        }
    }
}
