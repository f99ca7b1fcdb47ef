package io.weir.ledger.outside;

import java.util.regex.Pattern;

/** Paths that outside flows name. They are compared and kept, never opened. Pure. */
public final class OutsidePaths {
    private static final int LENGTH_MAX = 1500;
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_.=-]{1,255}");

    private OutsidePaths() {}

    /** Whether a path is absolute and has neither empty, {@code .} nor {@code ..} segments. */
    public static boolean isPlain(String path) {
        if (path.length() > LENGTH_MAX || !path.startsWith("/")) {
            return false;
        }
        String bare = withoutSlash(path);
        int start = 1;
        for (int i = 1; i <= bare.length(); i++) {
            if (i == bare.length() || bare.charAt(i) == '/') {
                if (!isName(bare, start, i)) {
                    return false;
                }
                start = i + 1;
            } else if (!isPlain(bare.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isName(String path, int start, int end) {
        return switch (end - start) {
            case 0 -> false;
            case 1 -> path.charAt(start) != '.';
            case 2 -> !path.startsWith("..", start);
            default -> true;
        };
    }

    private static boolean isPlain(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || "_.=-".indexOf(character) >= 0;
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
