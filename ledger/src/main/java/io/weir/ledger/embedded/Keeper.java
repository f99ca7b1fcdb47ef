package io.weir.ledger.embedded;

import io.weir.core.error.WeirException;

import org.postgresql.Driver;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Starts the keeper process of a server and knows whether it lives. */
final class Keeper {
    private Keeper() {}

    /** Makes sure that the server has a keeper. The caller holds the lock of the home. */
    static void ensure(ServerHome home, Postmaster postmaster) {
        if (find(home).isPresent() && keepsPostmaster(home, postmaster)) {
            return;
        }
        List<String> command = new ArrayList<>();
        if (isInstalled("setsid")) {
            // Out of the process group of this command, so that Ctrl-C does not reach the keeper.
            command.add("setsid");
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-Xshare:auto", "-XX:-UsePerfData"));
        command.addAll(List.of("-cp", classPath(), ServerKeeper.class.getName()));
        command.add(home.root().toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        Launch.keepOnlyPath(builder.environment());
        builder.redirectErrorStream(true);
        builder.redirectOutput(home.root().resolve("keeper.log").toFile());
        builder.redirectInput(new File("/dev/null"));
        builder.directory(home.root().toFile());
        try {
            Process process = builder.start();
            home.writePrivate(home.keeperFile(), process.pid() + " " + postmaster.pid() + "\n");
        } catch (IOException e) {
            throw ServerHome.failure("Cannot start the keeper of embedded PostgreSQL", e);
        }
    }

    /** The keeper process of a home, if it lives. */
    static Optional<ProcessHandle> find(ServerHome home) {
        List<String> words = words(home);
        if (words.isEmpty()) {
            return Optional.empty();
        }
        long pid = Long.parseLong(words.get(0));
        return isKeeper(pid) ? ProcessHandle.of(pid) : Optional.empty();
    }

    /** Whether a process is a keeper and not a stranger that got its pid. */
    static boolean isKeeper(long pid) {
        // Between fork and exec the words are still those of the parent or of setsid.
        return Postmaster.command(pid).contains(ServerKeeper.class.getName());
    }

    private static boolean keepsPostmaster(ServerHome home, Postmaster postmaster) {
        return words(home).contains(Long.toString(postmaster.pid()));
    }

    private static List<String> words(ServerHome home) {
        try {
            String text =
                    Files.readString(home.keeperFile(), StandardCharsets.UTF_8).strip();
            List<String> words = List.of(text.split(" ", -1));
            return words.size() == 2 && text.matches("[0-9]+ [0-9]+") ? words : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Only what the keeper needs: its own classes, the words of core, the driver. */
    private static String classPath() {
        Set<String> parts = new LinkedHashSet<>();
        parts.add(location(ServerKeeper.class));
        parts.add(location(WeirException.class));
        parts.add(location(Driver.class));
        return String.join(File.pathSeparator, parts);
    }

    private static String location(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw ServerHome.failure("Cannot find the class path of " + type.getName(), null);
        }
        try {
            return Path.of(new URI(source.getLocation().toString())).toString();
        } catch (URISyntaxException e) {
            throw ServerHome.failure("Cannot find the class path of " + type.getName(), e);
        }
    }

    private static boolean isInstalled(String program) {
        String path = System.getenv("PATH");
        if (path == null) {
            return false;
        }
        return List.of(path.split(File.pathSeparator, -1)).stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
