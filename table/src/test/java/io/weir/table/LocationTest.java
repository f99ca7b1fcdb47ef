package io.weir.table;

import static io.weir.table.LakeFixture.balance;
import static io.weir.table.LakeFixture.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.PublishMode;

import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Every location that another engine will read has the one form that all of them understand. */
class LocationTest {
    private static final Pattern OTHER_FORM = Pattern.compile("file:/(?!//[^/])");

    @TempDir
    Path directory;

    @Test
    void isTheSameEverywhereEvenWithSpacesAndUnicode() throws IOException {
        Path warehouse = directory.resolve("my lake çığ");
        String root = "file://" + warehouse + "/sales/orders";
        try (LakeFixture lake = new LakeFixture(warehouse)) {
            LakeTable table = lake.prepare();
            load(table, 1, PublishMode.APPEND, balance(2, 20));
            load(table, 2, PublishMode.REPLACE, balance(3, 30));

            assertThat(lake.metadataLocation()).startsWith(root + "/metadata/");
            Table foreign = lake.foreignTable();
            assertThat(foreign.location()).isEqualTo(root);
            for (Snapshot snapshot : foreign.snapshots()) {
                assertThat(snapshot.manifestListLocation()).startsWith(root + "/metadata/");
                for (ManifestFile manifest : snapshot.allManifests(foreign.io())) {
                    assertThat(manifest.path()).startsWith(root + "/metadata/");
                }
            }
            assertThat(table.filesOf(table.currentSnapshotId()))
                    .singleElement()
                    .satisfies(file -> assertThat(file.path()).startsWith(root + "/data/run="));
            for (Path file : metadataFiles(warehouse)) {
                assertThat(Files.readString(file, StandardCharsets.UTF_8))
                        .as(file.toString())
                        .contains("\"location\":\"" + root + "\"")
                        .doesNotContainPattern(OTHER_FORM)
                        .doesNotContain("\"" + warehouse);
            }
        }
    }

    @Test
    void nothingTemporaryIsLeftBehind() throws IOException {
        try (LakeFixture lake = new LakeFixture(directory)) {
            load(lake.prepare(), 1, PublishMode.APPEND, balance(2, 20));

            try (Stream<Path> files = Files.walk(directory)) {
                assertThat(files).noneMatch(file -> file.toString().endsWith(".tmp"));
            }
        }
    }

    private static List<Path> metadataFiles(Path warehouse) throws IOException {
        try (Stream<Path> files = Files.walk(warehouse)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".metadata.json"))
                    .toList();
            assertThat(found).hasSizeGreaterThan(3);
            return found;
        }
    }
}
