package io.weir.engine;

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
    public EngineConfig {
        if (memoryBytes <= 0) {
            throw new IllegalArgumentException("Invalid memory " + memoryBytes + ": above zero");
        }
        if (threads <= 0) {
            throw new IllegalArgumentException("Invalid threads " + threads + ": above zero");
        }
    }
}
