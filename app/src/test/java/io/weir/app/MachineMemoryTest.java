package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class MachineMemoryTest {
    private static final long MB = 1L << 20;
    private static final long GB = 1L << 30;

    @TempDir
    private Path root;

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void theMachineSaysWhatIsFree() throws IOException {
        assertThat(MachineMemory.free(root, 7 * MB)).isEqualTo(7 * MB);
        write("proc/meminfo", "MemTotal:  9000 kB\nMemFree:  100 kB\nMemAvailable:   4096 kB\n");
        assertThat(MachineMemory.free(root, 7 * MB)).isEqualTo(4 * MB);
    }

    @Test
    void theTightestGroupCounts() throws IOException {
        write("proc/meminfo", "MemAvailable:   8388608 kB\n");
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        write("sys/fs/cgroup/a/memory.max", "1000\n");
        write("sys/fs/cgroup/a/memory.current", "900\n");
        write("sys/fs/cgroup/a/memory.stat", "anon 600\ninactive_file 250\n");
        assertThat(MachineMemory.free(root, 0)).isEqualTo(350);
        write("sys/fs/cgroup/memory.max", "500");
        write("sys/fs/cgroup/memory.current", "600");
        assertThat(MachineMemory.free(root, 0)).isZero();
    }

    @Test
    void theEngineGrowsWithTheMachine() {
        assertThat(MachineMemory.engineBytes(1, GB)).isEqualTo(512 * MB);
        assertThat(MachineMemory.engineBytes(2, 64 * GB)).isEqualTo(512 * MB);
        assertThat(MachineMemory.engineBytes(16, 64 * GB)).isEqualTo(4 * GB);
        assertThat(MachineMemory.engineBytes(16, 8 * GB)).isEqualTo(2 * GB);
        assertThat(MachineMemory.free()).isPositive();
    }
}
