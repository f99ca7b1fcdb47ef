package io.weir.server.lineage;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where lineage goes, as people write it: an address of an endpoint, or a file. */
public final class LineageAddress {
    private LineageAddress() {}

    /**
     * Opens nothing yet.
     *
     * @param text begins with http:// or https://, or is the path of a file
     * @param directory that a relative path is relative to
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID}
     */
    public static LineageSink parse(String text, Path directory) {
        if (text.contains("://")) {
            return new LineageEndpoint(endpoint(text));
        }
        Path file;
        try {
            file = directory.resolve(text).normalize();
        } catch (InvalidPathException e) {
            throw refused("the path of the file is none (reason=" + e.getReason() + ")");
        }
        Path parent = file.getParent();
        if (text.isBlank() || Files.isDirectory(file)) {
            throw refused("it is no file (path=" + file + ")");
        }
        if (parent == null || !Files.isDirectory(parent)) {
            throw refused("there is no such directory (path=" + parent + ")");
        }
        return new LineageFile(file);
    }

    private static URI endpoint(String text) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            // The text may hold a secret; it is not repeated.
            throw refused("the address is none");
        }
        String scheme = String.valueOf(uri.getScheme());
        boolean web = scheme.equals("http") || scheme.equals("https");
        if (!web || uri.getHost() == null) {
            throw refused("the address is no http or https address with a host");
        }
        if (uri.getUserInfo() != null || uri.getFragment() != null) {
            throw refused("the address has a user or a fragment (host=" + uri.getHost() + ")");
        }
        return uri;
    }

    private static WeirException refused(String why) {
        return new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot tell lineage: " + why,
                "Name an address such as http://host:5000/api/v1/lineage, or a file.",
                null);
    }
}
