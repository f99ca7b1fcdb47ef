package io.weir.ledger.embedded;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The server programs as the class path has them. The keeper runs without this class. */
final class BinaryArchive {
    private static final int HASH_DIGITS = 16;
    private static final int OWNER_MAY_EXECUTE = 0100;

    private BinaryArchive() {}

    static String resource() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String name = machine.equals("amd64") || machine.equals("x86_64")
                ? "postgres-linux-x86_64.txz"
                : "postgres-linux-arm_64.txz";
        if (!system.contains("linux")
                || BinaryArchive.class.getClassLoader().getResource(name) == null) {
            throw ServerHome.failure(
                    "Cannot start embedded PostgreSQL: no binaries for this machine (system="
                            + system + ", machine=" + machine + ")",
                    null);
        }
        return name;
    }

    private static InputStream open(String resource) throws IOException {
        InputStream stream = BinaryArchive.class.getClassLoader().getResourceAsStream(resource);
        if (stream == null) {
            throw new IOException("the class path has no " + resource);
        }
        return new BufferedInputStream(stream);
    }

    static String hash(String resource) throws IOException {
        try (DigestInputStream stream =
                new DigestInputStream(open(resource), MessageDigest.getInstance("SHA-256"))) {
            stream.transferTo(OutputStream.nullOutputStream());
            String digits = HexFormat.of().formatHex(stream.getMessageDigest().digest());
            return digits.substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-256", e);
        }
    }

    static void unpack(String resource, Path into) throws IOException {
        try (InputStream archive = open(resource)) {
            unpack(archive, into);
        }
    }

    private static void unpack(InputStream archive, Path into) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZCompressorInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry();
                    entry != null;
                    entry = tar.getNextEntry()) {
                Path path = into.resolve(entry.getName()).normalize();
                if (!path.startsWith(into)) {
                    throw new IOException("the archive leaves its directory: " + entry.getName());
                }
                write(tar, entry, path);
            }
        }
    }

    private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path path)
            throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Path parent = path.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, path);
        boolean executable = (entry.getMode() & OWNER_MAY_EXECUTE) != 0;
        Files.setPosixFilePermissions(
                path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }
}
