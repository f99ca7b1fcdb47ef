package io.weir.testkit.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Every text file of the repository, without what is built or what a run leaves behind. */
final class Repository {
    private static final Set<String> SKIPPED =
            Set.of("target", ".git", ".weir", ".idea", ".vscode", "node_modules");
    private static final long TEXT_BYTES_MAX = 1 << 20;

    private final Path root;
    private final List<SourceFile> files;

    private Repository(Path root, List<SourceFile> files) {
        this.root = root;
        this.files = List.copyOf(files);
    }

    /** Reads the repository that the build runs in. */
    static Repository read() {
        Path root = Path.of(System.getProperty("weir.root"));
        List<SourceFile> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new Collector(root, files));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the repository", e);
        }
        files.sort(Comparator.comparing(SourceFile::path));
        return new Repository(root, files);
    }

    Path root() {
        return root;
    }

    List<SourceFile> files() {
        return files;
    }

    List<SourceFile> java() {
        return files.stream().filter(SourceFile::isJava).toList();
    }

    List<SourceFile> withExtension(String... extensions) {
        Set<String> wanted = Set.of(extensions);
        return files.stream().filter(file -> wanted.contains(file.extension())).toList();
    }

    Optional<SourceFile> file(String path) {
        return files.stream().filter(file -> file.path().equals(path)).findFirst();
    }

    private static final class Collector extends SimpleFileVisitor<Path> {
        private final Path root;
        private final List<SourceFile> files;

        Collector(Path root, List<SourceFile> files) {
            this.root = root;
            this.files = files;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return SKIPPED.contains(String.valueOf(folder.getFileName()))
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            if (attributes.isRegularFile() && attributes.size() <= TEXT_BYTES_MAX) {
                try {
                    String path = root.relativize(file).toString().replace('\\', '/');
                    files.add(new SourceFile(path, Files.readAllLines(file)));
                } catch (MalformedInputException e) {
                    return FileVisitResult.CONTINUE; // no text
                }
            }
            return FileVisitResult.CONTINUE;
        }

        /** A file may go while others build beside this test. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
