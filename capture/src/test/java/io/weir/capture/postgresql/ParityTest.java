package io.weir.capture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A row read at a snapshot and the same row as an event have equal digests, wherever the program
 * runs.
 */
class ParityTest {
    /** What a JVM takes from its machine; odd offsets, a lost day, Turkish letters. */
    private static final List<List<String>> PLACES = List.of(
            List.of("-Duser.timezone=UTC", "-Duser.language=en", "-Duser.country=US"),
            List.of("-Duser.timezone=Asia/Shanghai", "-Duser.language=tr", "-Duser.country=TR"),
            List.of("-Duser.timezone=America/St_Johns", "-Duser.language=tr", "-Duser.country=TR"),
            List.of("-Duser.timezone=Pacific/Apia", "-Duser.language=en", "-Duser.country=US"));

    @Test
    void everyTypeHasTheSameDigestsOnBothWaysInEveryZoneAndLocale()
            throws IOException, InterruptedException {
        try (Tap tap = new Tap()) {
            EdgeValues.create(tap.database);
            tap.publish(EdgeValues.tables());
            List<Tap> places = new ArrayList<>();
            for (int i = 0; i < PLACES.size(); i++) {
                Tap place = new Tap(tap.database, tap.slot + "_" + i);
                place.capture().createSlot(place.spec(EdgeValues.tables()));
                places.add(place);
            }
            EdgeValues.insert(tap.database);
            EdgeValues.touch(tap.database);
            for (int i = 0; i < PLACES.size(); i++) {
                assertThat(run(PLACES.get(i), places.get(i)))
                        .as("" + PLACES.get(i))
                        .isEmpty();
                places.get(i).close();
            }
        }
    }

    /** What the check says against it. */
    private static String run(List<String> options, Tap tap)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "--add-opens=java.base/java.nio=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(ParityCheck.class.getName());
        command.addAll(List.of(
                tap.database.host(),
                Integer.toString(tap.database.port()),
                tap.database.name(),
                tap.database.user(),
                tap.database.password(),
                tap.slot));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : said;
    }
}
