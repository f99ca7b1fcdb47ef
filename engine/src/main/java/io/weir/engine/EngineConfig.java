package io.weir.engine;

import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * What the engine may use of the machine.
 *
 * @param memoryBytes memory of the engine itself; the Java heap comes on top. Work that needs more
 *     spills to {@code temporaryDirectory}
 * @param threads threads of the engine, and as many that digest rows
 * @param temporaryDirectory where spilled data goes; created when missing, cleaned by its users
 */
public record EngineConfig(long memoryBytes, int threads, Path temporaryDirectory) {
    private static final long DEFAULT_SHARE = 4;
    private static final long DEFAULT_MEMORY_BYTES_MIN = 1L << 30;

    public EngineConfig {
        if (memoryBytes <= 0) {
            throw new IllegalArgumentException("Invalid memory " + memoryBytes + ": above zero");
        }
        if (threads <= 0) {
            throw new IllegalArgumentException("Invalid threads " + threads + ": above zero");
        }
    }

    /**
     * A quarter of the memory that this process may use, one gigabyte at least, and all of its
     * processors.
     */
    public static EngineConfig defaults(Path temporaryDirectory) {
        long memory = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                .getTotalMemorySize();
        return new EngineConfig(
                Math.max(memory / DEFAULT_SHARE, DEFAULT_MEMORY_BYTES_MIN),
                Runtime.getRuntime().availableProcessors(),
                temporaryDirectory);
    }
}
