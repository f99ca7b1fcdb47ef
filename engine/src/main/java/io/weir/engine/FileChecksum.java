package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** The SHA-256 of a file's bytes. */
final class FileChecksum {
    private static final int BUFFER_BYTES = 1 << 20;

    private FileChecksum() {}

    /**
     * The checksum of each file, in the order given; the threads of the pool share them.
     *
     * @throws WeirException FILE_UNREADABLE if one cannot be read; INTERRUPTED
     */
    static List<String> ofAll(List<Path> files, ExecutorService pool) {
        List<Future<String>> running = new ArrayList<>();
        for (Path file : files) {
            running.add(pool.submit(() -> of(file)));
        }
        List<String> checksums = new ArrayList<>();
        try {
            for (Future<String> checksum : running) {
                checksums.add(checksum.get());
            }
            return checksums;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(
                    ErrorCode.INTERRUPTED,
                    "Cannot read " + files.size() + " files: the thread was interrupted",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WeirException known) {
                throw known;
            }
            throw new WeirException(
                    ErrorCode.INTERNAL, "Cannot read files: " + e.getCause(), e.getCause());
        } finally {
            running.forEach(checksum -> checksum.cancel(true));
        }
    }

    /**
     * Reads the whole file.
     *
     * @throws WeirException FILE_UNREADABLE if it cannot be read
     */
    static String of(Path file) {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.FILE_UNREADABLE, "Cannot read file " + file + ": " + e, e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
