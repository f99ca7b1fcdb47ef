package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

/**
 * Where the tables of a lake are listed and where their files are.
 *
 * @param name the catalog's name; every other engine must use the same one
 * @param jdbcUrl of the PostgreSQL database that holds the catalog
 * @param password null where the server asks for none
 * @param warehouse {@code file:///absolute/path}, without a slash at its end
 */
public record CatalogConfig(
        String name, String jdbcUrl, String user, @Nullable String password, String warehouse) {
    /** The schema of the database that holds the catalog's tables. */
    public static final String SCHEMA = "weir_catalog";

    /**
     * Checks the form of the warehouse.
     *
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} for any other form than {@code
     *     file:///absolute/path}, because not every engine reads the others
     */
    public CatalogConfig {
        boolean plain = warehouse.startsWith("file:///") && !warehouse.startsWith("file:////");
        if (!plain || warehouse.endsWith("/")) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Invalid warehouse " + warehouse
                            + ": file:///absolute/path, no slash at its end");
        }
    }

    /** The URL that other engines use for the same catalog. */
    public String catalogUrl() {
        // The driver lets the last of equal parameters win.
        return jdbcUrl + (jdbcUrl.contains("?") ? "&" : "?") + "currentSchema=" + SCHEMA;
    }

    /** Without the password; a URL may hide one among its parameters, so these are left out. */
    @Override
    public String toString() {
        return "CatalogConfig[name=" + name + ", jdbcUrl=" + bareUrl() + ", user=" + user
                + ", warehouse=" + warehouse + "]";
    }

    /** The URL without its parameters. */
    String bareUrl() {
        int parameters = jdbcUrl.indexOf('?');
        return parameters < 0 ? jdbcUrl : jdbcUrl.substring(0, parameters);
    }
}
