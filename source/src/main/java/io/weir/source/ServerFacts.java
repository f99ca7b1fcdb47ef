package io.weir.source;

/**
 * The server behind a source.
 *
 * @param version as the server says it, such as {@code 17.11}
 * @param versionNumber for comparing, such as 170011
 * @param encoding of the database, such as {@code UTF8}
 */
public record ServerFacts(String version, int versionNumber, Role role, String encoding) {
    /** Whether the server writes or follows. */
    public enum Role {
        PRIMARY,
        STANDBY
    }
}
