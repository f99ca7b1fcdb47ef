package io.weir.ledger.outside;

import java.util.Arrays;
import java.util.regex.Pattern;

/** Paths that outside flows name. They are compared and kept, never opened. Pure. */
public final class OutsidePaths {
    private static final int LENGTH_MAX = 1500;
    private static final Pattern FORM = Pattern.compile("/[A-Za-z0-9_.=/-]*");
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_.=-]{1,255}");

    private OutsidePaths() {}

    /** Whether a path is absolute and has neither empty, {@code .} nor {@code ..} segments. */
    public static boolean isPlain(String path) {
        if (path.length() > LENGTH_MAX || !FORM.matcher(path).matches()) {
            return false;
        }
        String bare = withoutSlash(path);
        return !bare.isEmpty()
                && Arrays.stream(bare.substring(1).split("/", -1))
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }

    /** Whether a text names a file in a directory and nothing else. */
    public static boolean isFileName(String name) {
        return FILE_NAME.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    /** Whether a path lies below another one. */
    static boolean isBelow(String path, String directory) {
        return isPlain(path) && !path.endsWith("/") && path.startsWith(directory + "/");
    }

    static String withoutSlash(String path) {
        int end = path.length();
        while (end > 1 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }
}
