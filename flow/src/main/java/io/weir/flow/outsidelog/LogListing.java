package io.weir.flow.outsidelog;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;

/** Which files an outside log has, by the rules that readers of lakes share. */
final class LogListing {
    private static final String SUFFIX = ".parquet";

    private LogListing() {}

    /**
     * The Parquet files below a directory, by name. What begins with a dot or an underscore is not
     * meant to be read, nor is a file without a byte; a directory such as {@code _day=3} is.
     *
     * @throws WeirException {@link ErrorCode#LOG_EMPTY} if there is no such directory, {@link
     *     ErrorCode#LOG_UNFIT} if it cannot be read
     */
    static Map<String, FoundFile> of(Path directory) {
        Map<String, FoundFile> files = new TreeMap<>();
        try {
            Path root = directory.toRealPath();
            Files.walkFileTree(
                    root,
                    EnumSet.of(FileVisitOption.FOLLOW_LINKS),
                    Integer.MAX_VALUE,
                    new Visitor(root, files));
        } catch (NoSuchFileException e) {
            throw new WeirException(
                    ErrorCode.LOG_EMPTY,
                    "Cannot read outside log " + directory + ": no such directory or file (path="
                            + e.getMessage() + ")",
                    e);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.LOG_UNFIT, "Cannot read outside log " + directory + ": " + e, e);
        }
        return files;
    }

    private static boolean isHidden(String name) {
        return name.startsWith(".")
                || (name.startsWith("_") && !name.contains("="))
                || name.endsWith("._COPYING_");
    }

    private static final class Visitor extends SimpleFileVisitor<Path> {
        private final Path root;
        private final Map<String, FoundFile> files;

        Visitor(Path root, Map<String, FoundFile> files) {
            this.root = root;
            this.files = files;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            boolean hidden =
                    !directory.equals(root) && isHidden(directory.getFileName().toString());
            return hidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String own = file.getFileName().toString();
            if (attributes.isRegularFile()
                    && attributes.size() > 0
                    && own.endsWith(SUFFIX)
                    && !isHidden(own)) {
                String name = root.relativize(file).toString().replace('\\', '/');
                files.put(
                        name,
                        new FoundFile(
                                name,
                                file,
                                attributes.size(),
                                attributes
                                        .lastModifiedTime()
                                        .toInstant()
                                        .truncatedTo(ChronoUnit.MICROS)));
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
