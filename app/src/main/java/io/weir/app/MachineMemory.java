package io.weir.app;

import com.sun.management.OperatingSystemMXBean;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory there is for this process: of the machine, and of the control groups that it runs
 * in. What the page cache holds counts as free, because it gives way.
 */
final class MachineMemory {
    private static final Path ROOT = Path.of("/");
    private static final long ENGINE_BYTES_MIN = 512L << 20;
    private static final long ENGINE_BYTES_A_CORE = 256L << 20;
    private static final int ENGINE_PART = 4;

    private MachineMemory() {}

    /** Bytes that this process may still take. */
    static long free() {
        return free(ROOT, system().getFreeMemorySize());
    }

    /** Memory of the engine: more on large machines, never the better part of one. */
    static long engineBytes(int cores) {
        return engineBytes(cores, system().getTotalMemorySize());
    }

    static long engineBytes(int cores, long total) {
        return Math.max(
                ENGINE_BYTES_MIN, Math.min(ENGINE_BYTES_A_CORE * cores, total / ENGINE_PART));
    }

    private static OperatingSystemMXBean system() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    }

    /**
     * The same below another root.
     *
     * @param otherwise where the system does not say
     */
    static long free(Path root, long otherwise) {
        long machine = number(root.resolve("proc/meminfo"), "MemAvailable:", otherwise >> 10) << 10;
        long free = machine;
        Path top = root.resolve("sys/fs/cgroup");
        for (Path group = groupOf(root, top);
                group != null && group.startsWith(top);
                group = group.getParent()) {
            long most = number(group.resolve("memory.max"), "", Long.MAX_VALUE);
            long used = number(group.resolve("memory.current"), "", 0);
            if (most < Long.MAX_VALUE) {
                long cached = number(group.resolve("memory.stat"), "inactive_file", 0);
                free = Math.min(free, Math.max(0, most - used + cached));
            }
        }
        return free;
    }

    /** The group of this process, where control groups of version 2 are mounted. */
    private static Path groupOf(Path root, Path top) {
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            if (line.startsWith("0::/")) {
                return top.resolve(line.substring("0::/".length())).normalize();
            }
        }
        return top;
    }

    /** The number behind a word at the begin of a line. */
    private static long number(Path file, String word, long otherwise) {
        for (String line : lines(file)) {
            if (line.startsWith(word)) {
                String digits = line.substring(word.length()).strip().split(" ", -1)[0];
                return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : otherwise;
            }
        }
        return otherwise;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }
}
