package io.weir.ledger.embedded;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * The files of one embedded server.
 *
 * @param root absolute, without symbolic links
 */
record ServerHome(Path root) {
    static final String USER = "weir";

    /** Names that start so belong to a step that did not end. */
    static final String UNFINISHED = "unfinished-";

    private static final int PASSWORD_BYTES = 24;

    static ServerHome create(Path home) {
        try {
            Files.createDirectories(home);
            return new ServerHome(home.toRealPath());
        } catch (IOException e) {
            throw failure("Cannot create directory " + home, e);
        }
    }

    /** The same without creating anything; the directory may be missing. */
    static ServerHome at(Path home) {
        try {
            return new ServerHome(home.toRealPath());
        } catch (IOException e) {
            return new ServerHome(home.toAbsolutePath().normalize());
        }
    }

    Path data() {
        return root.resolve("data");
    }

    Path passwordFile() {
        return root.resolve("password");
    }

    Path log() {
        return root.resolve("server.log");
    }

    /** What pg_ctl and initdb said last. */
    Path commandLog() {
        return root.resolve("command.log");
    }

    Path lockFile() {
        return root.resolve("lock");
    }

    Path keeperFile() {
        return root.resolve("keeper");
    }

    /** Its time of change is the last time that a command asked for the server. */
    Path attachedFile() {
        return root.resolve("attached");
    }

    boolean isInitialised() {
        return Files.exists(data().resolve("PG_VERSION"));
    }

    /** Makes the password on first use; only its owner can read the file. */
    void ensurePassword() {
        if (Files.exists(passwordFile())) {
            return;
        }
        if (isInitialised()) {
            throw new WeirException(
                    ErrorCode.EMBEDDED_SERVER_FAILED,
                    "Cannot start embedded PostgreSQL in " + root
                            + ": the data directory has no password file (expected="
                            + passwordFile() + ")");
        }
        byte[] secret = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(secret);
        writePrivate(passwordFile(), HexFormat.of().formatHex(secret));
    }

    String password() {
        try {
            return Files.readString(passwordFile(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw failure("Cannot read the password file " + passwordFile(), e);
        }
    }

    /** Replaces a file as a whole; readable by its owner only. */
    void writePrivate(Path file, String text) {
        Path draft = file.resolveSibling(UNFINISHED + file.getFileName());
        try {
            Files.deleteIfExists(draft);
            Files.createFile(
                    draft,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, text, StandardCharsets.UTF_8);
            Files.move(
                    draft,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw failure("Cannot write " + file, e);
        }
    }

    void touchAttached() {
        try {
            if (!Files.exists(attachedFile())) {
                Files.createFile(attachedFile());
            }
            Files.setLastModifiedTime(attachedFile(), FileTime.from(Instant.now()));
        } catch (IOException e) {
            throw failure("Cannot write " + attachedFile(), e);
        }
    }

    Instant lastAttached() {
        try {
            return Files.getLastModifiedTime(attachedFile()).toInstant();
        } catch (IOException e) {
            return Instant.EPOCH;
        }
    }

    /**
     * A new name for what is being made; no two starts share one, because a program of a killed
     * starter may still be writing into its own.
     */
    Path unfinished(String what) {
        return root.resolve(
                UNFINISHED + what + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
    }

    /** Removes what killed starters left. Call it under the lock only. */
    void removeUnfinished() {
        try (Stream<Path> entries = Files.list(root)) {
            entries.filter(entry -> name(entry).startsWith(UNFINISHED))
                    .forEach(ServerHome::deleteTree);
        } catch (IOException | UncheckedIOException e) {
            throw failure("Cannot clean " + root, e);
        }
    }

    /** The end of a log, for error messages. */
    static String tail(Path file, int characters) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8).strip();
            return text.substring(Math.max(0, text.length() - characters));
        } catch (IOException e) {
            return "";
        }
    }

    static WeirException failure(String message, @Nullable Throwable cause) {
        String reason = cause == null ? "" : ": " + cause.getMessage();
        return new WeirException(ErrorCode.EMBEDDED_SERVER_FAILED, message + reason, cause);
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private static void deleteTree(Path tree) {
        try {
            Files.walkFileTree(tree, new Deletion());
        } catch (NoSuchFileException e) {
            // Somebody's orphaned initdb removed its own directory meanwhile.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException problem) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException problem)
                throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
