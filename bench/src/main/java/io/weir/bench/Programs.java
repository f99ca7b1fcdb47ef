package io.weir.bench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs of others that a benchmark measures itself against. */
final class Programs {
    private Programs() {}

    /**
     * Where a program is on the search path.
     *
     * @param debianPackage that brings it
     * @throws IllegalStateException if it is not there
     */
    static Path find(String name, String debianPackage) {
        String path = System.getenv().getOrDefault("PATH", "");
        for (String directory : path.split(File.pathSeparator, -1)) {
            Path program = Path.of(directory, name);
            if (!directory.isEmpty() && Files.isExecutable(program)) {
                return program;
            }
        }
        throw new IllegalStateException("Cannot find " + name
                + ": it is not on the search path (install the package " + debianPackage + ")");
    }
}
