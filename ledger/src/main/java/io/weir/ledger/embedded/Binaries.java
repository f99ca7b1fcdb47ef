package io.weir.ledger.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The server programs, unpacked once per version into the home.
 *
 * @param directory named after the hash of the archive, so that an upgrade does not write into the
 *     programs of a running server
 */
record Binaries(Path directory) {
    static Binaries unpack(ServerHome home) {
        String resource = BinaryArchive.resource();
        try {
            Path directory = home.root().resolve("server-" + BinaryArchive.hash(resource));
            if (!Files.isDirectory(directory)) {
                Path draft = home.unfinished("server");
                BinaryArchive.unpack(resource, draft);
                Files.move(draft, directory, StandardCopyOption.ATOMIC_MOVE);
            }
            return new Binaries(directory);
        } catch (IOException e) {
            throw ServerHome.failure("Cannot unpack PostgreSQL into " + home.root(), e);
        }
    }

    String program(String name) {
        return directory.resolve("bin").resolve(name).toString();
    }
}
