package io.weir.app.config;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A JDBC URL without credentials, and the credentials. A password may stand in the URL of a job
 * file or in the secret that the URL refers to; from here on it travels alone.
 */
public record DatabaseUrl(String url, String user, @Nullable String password) {
    /**
     * Resolves the secrets and takes the credentials out of the URL.
     *
     * @param what for messages, such as {@code source shop}
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} if the URL is none or names no user
     */
    public static DatabaseUrl of(String what, DatabaseConfig config, Secrets secrets) {
        String url = secrets.resolve(config.url());
        // The driver does not know user:password@host, and would log the password as a bad port.
        int end = url.indexOf('?');
        boolean foreign = (end < 0 ? url : url.substring(0, end)).indexOf('@') >= 0;
        Properties parsed = foreign ? null : Driver.parseURL(url, new Properties());
        if (parsed == null) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot use the URL of " + what
                            + ": it must be like jdbc:postgresql://host:5432/database");
        }
        String user = secrets.resolveOptional(config.user());
        String password = secrets.resolveOptional(config.password());
        user = user == null ? parsed.getProperty("user") : user;
        password = password == null ? parsed.getProperty("password") : password;
        if (user == null) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID, "Cannot connect to " + what + ": it has no user");
        }
        return new DatabaseUrl(withoutCredentials(url), user, password);
    }

    private static String withoutCredentials(String url) {
        int query = url.indexOf('?');
        if (query < 0) {
            return url;
        }
        List<String> kept = new ArrayList<>();
        for (String parameter : url.substring(query + 1).split("&", -1)) {
            if (!parameter.startsWith("user=") && !parameter.startsWith("password=")) {
                kept.add(parameter);
            }
        }
        String base = url.substring(0, query);
        return kept.isEmpty() ? base : base + "?" + String.join("&", kept);
    }

    @Override
    public String toString() {
        return "DatabaseUrl[url=" + url + ", user=" + user + "]";
    }
}
