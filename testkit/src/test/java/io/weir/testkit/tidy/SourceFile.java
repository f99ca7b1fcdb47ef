package io.weir.testkit.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One text file of the repository.
 *
 * @param path relative to the root, with slashes
 */
record SourceFile(String path, List<String> lines) {
    SourceFile {
        lines = List.copyOf(lines);
    }

    /** What follows the last dot; a script without extension counts as {@code sh}. */
    String extension() {
        int dot = path.lastIndexOf('.');
        boolean named = dot > path.lastIndexOf('/') + 1;
        if (named) {
            return path.substring(dot + 1);
        }
        return !lines.isEmpty() && lines.get(0).startsWith("#!") ? "sh" : "";
    }

    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    boolean isJava() {
        return extension().equals("java");
    }

    boolean isTest() {
        return path.contains("/src/test/");
    }

    String text() {
        return String.join("\n", lines);
    }

    /** One offence for each line in which the pattern is found. */
    List<Offence> find(Pattern pattern) {
        List<Offence> offences = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (pattern.matcher(lines.get(i)).find()) {
                offences.add(new Offence(path, i + 1, lines.get(i).strip()));
            }
        }
        return offences;
    }
}
