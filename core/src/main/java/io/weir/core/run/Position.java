package io.weir.core.run;

/**
 * A place in the log of a source database.
 *
 * @param kind the engine's name for it, such as {@code lsn}
 * @param text its text form, such as {@code 0/16B3748}
 */
public record Position(String kind, String text) {
    @Override
    public String toString() {
        return kind + " " + text;
    }
}
