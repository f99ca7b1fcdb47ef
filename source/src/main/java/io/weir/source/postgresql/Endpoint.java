package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.source.SourceConfig;

import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Where a source is, as far as messages may say it: the URL itself may hold a password.
 *
 * @param source the name of the source
 */
record Endpoint(String source, String host, String port, String database, String user) {
    private static final String HOST = "(\\[[0-9a-fA-F:.%]+]|[^:/?@,\\[\\]]*)(:[0-9]{1,5})?";
    private static final Pattern FORM = Pattern.compile(
            "jdbc:postgresql:(//" + HOST + "(," + HOST + ")*(/[^?]*)?|[^/?][^?]*|/)?(\\?.*)?");

    /**
     * Takes a URL apart.
     *
     * @throws WeirException {@code CONFIG_INVALID} if the driver cannot read it
     */
    static Endpoint of(SourceConfig config) {
        // The driver logs what it cannot read, and that may be a password in the wrong place.
        Properties parts =
                FORM.matcher(config.url()).matches() ? Driver.parseURL(config.url(), null) : null;
        if (parts == null) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot open source " + config.name()
                            + ": its URL cannot be read"
                            + " (form=jdbc:postgresql://host:port/database)",
                    "Write host, port and database; user and password have keys of their own.",
                    null);
        }
        return new Endpoint(
                config.name(),
                part(parts, "PGHOST", "localhost"),
                part(parts, "PGPORT", "5432"),
                part(parts, "PGDBNAME", config.user()),
                config.user());
    }

    private static String part(Properties parts, String key, String otherwise) {
        @Nullable String value = parts.getProperty(key);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    /** For the brackets of a message. */
    String facts() {
        return "host=" + host + ", port=" + port + ", database=" + database + ", user=" + user;
    }
}
