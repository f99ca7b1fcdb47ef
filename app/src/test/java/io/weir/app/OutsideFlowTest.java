package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The example of a flow from outside runs as its page says, and leaves clean books. */
@Timeout(300)
class OutsideFlowTest {
    private static final Path EXAMPLE =
            Path.of(System.getProperty("weir.root"), "examples", "outside-flow", "run.sh");

    @Test
    void loadsWithCurlAndJqAlone(@TempDir Path directory) throws Exception {
        CommandLineHouse house = new CommandLineHouse(directory);
        String jobs = house.jobFile().toString();
        ProcessBuilder builder = new ProcessBuilder(EXAMPLE.toString(), "-f", jobs)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .put(
                        "WEIR",
                        Path.of(System.getProperty("java.home"), "bin", "java") + " -Xmx256m"
                                + " -Dlogback.configurationFile=logback.xml -cp "
                                + System.getProperty("java.class.path") + " "
                                + Weir.class.getName());
        Process flow = builder.start();
        String out = new String(flow.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(flow.waitFor()).as(out).isZero();
        List<String> lines = out.lines().toList();
        assertThat(lines.get(0)).endsWith("although a reply was lost");
        assertThat(lines)
                .contains("registered 3 partitions with rows, 1 without")
                .contains("validating; the same call came twice and started once")
                .contains("an operator found 300 rows, sum 126950 and settled it")
                .endsWith("SUCCESS: 300 read, 300 staged, 300 published");
        CommandLineHouse.Output fsck = house.weir("fsck", "-f", jobs);
        assertThat(fsck.exitCode()).as(fsck.out() + fsck.err()).isZero();
    }
}
