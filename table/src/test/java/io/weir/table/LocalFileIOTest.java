package io.weir.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

class LocalFileIOTest {
    private static final byte[] BYTES = {1, 2, 3};

    @TempDir
    Path directory;

    private final LocalFileIO io = new LocalFileIO();

    @ParameterizedTest
    @ValueSource(strings = {"plain", "with space", "çatı ß 表", "50%41 #? &+"})
    void keepsTheLocationAndEscapesNothing(String name) throws IOException {
        String location = "file://" + directory + "/" + name + "/data/f.bin";

        OutputFile output = io.newOutputFile(location);
        write(output.create(), BYTES);

        assertThat(output.location()).isEqualTo(location);
        assertThat(output.toInputFile().location()).isEqualTo(location);
        assertThat(io.newInputFile(location).location()).isEqualTo(location);
        assertThat(directory.resolve(name).resolve("data/f.bin")).hasBinaryContent(BYTES);
        assertThat(LocalFileIO.pathOf(location))
                .isEqualTo(directory.resolve(name).resolve("data/f.bin"));
        assertThat(LocalFileIO.locationOf(LocalFileIO.pathOf(location))).isEqualTo(location);
    }

    @Test
    void readsTheFormsThatOtherEnginesWrite() {
        assertThat(LocalFileIO.pathOf("file:/a/b")).isEqualTo(Path.of("/a/b"));
        assertThat(LocalFileIO.pathOf("/a/b")).isEqualTo(Path.of("/a/b"));
        assertThat(LocalFileIO.pathOf("file:///a/b")).isEqualTo(Path.of("/a/b"));
        for (String other : new String[] {"file://host/a", "s3://bucket/a", "a/b"}) {
            assertThatThrownBy(() -> LocalFileIO.pathOf(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Invalid location " + other + ": file:///absolute/path");
        }
        assertThatThrownBy(() -> LocalFileIO.locationOf(Path.of("a")))
                .hasMessage("Invalid path a: not absolute");
    }

    @Test
    void createRefusesAnExistingFile() throws IOException {
        OutputFile output = io.newOutputFile(location("f"));
        write(output.create(), BYTES);

        assertThatThrownBy(output::create)
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessage("Cannot create file " + location("f") + ": it exists");
    }

    @Test
    void overwriteShowsTheOldFileUntilTheNewOneIsComplete() throws IOException {
        OutputFile output = io.newOutputFile(location("f"));
        write(output.create(), BYTES);
        PositionOutputStream stream = output.createOrOverwrite();
        stream.write(9);
        stream.flush();
        assertThat(directory.resolve("f")).hasBinaryContent(BYTES);

        stream.close();
        stream.close();

        assertThat(directory.resolve("f")).hasBinaryContent(new byte[] {9});
        assertThat(names()).containsExactly("f");
    }

    @Test
    void readsWhatItWroteAtEveryPosition() throws IOException {
        byte[] bytes = new byte[200_000];
        new Random(7).nextBytes(bytes);
        OutputFile output = io.newOutputFile(location("big"));
        try (PositionOutputStream stream = output.create()) {
            stream.write(bytes[0]);
            stream.write(bytes, 1, bytes.length - 1);
            assertThat(stream.getPos()).isEqualTo(bytes.length);
            assertThat(stream.storedLength()).isEqualTo(bytes.length);
        }

        InputFile input = output.toInputFile();
        assertThat(input.exists()).isTrue();
        assertThat(input.getLength()).isEqualTo(bytes.length);
        try (SeekableInputStream stream = input.newStream()) {
            assertThat(stream.read()).isEqualTo(bytes[0] & 0xff);
            stream.seek(150_000);
            assertThat(stream.getPos()).isEqualTo(150_000);
            assertThat(stream.read()).isEqualTo(bytes[150_000] & 0xff);
            assertThat(stream.getPos()).isEqualTo(150_001);
            stream.seek(1);
            assertThat(stream.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 1, bytes.length));
            assertThat(stream.read()).isEqualTo(-1);
        }
    }

    @Test
    void missingFileIsNotFound() {
        String location = location("none");

        assertThat(io.newInputFile(location).exists()).isFalse();
        assertThatThrownBy(() -> io.newInputFile(location).newStream())
                .isInstanceOf(NotFoundException.class)
                .hasMessage("Cannot read file " + location + ": it does not exist");
        assertThatThrownBy(() -> io.newInputFile(location).getLength())
                .isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> io.deleteFile(location))
                .isInstanceOf(NotFoundException.class)
                .hasMessage("Cannot delete file " + location + ": it does not exist");
    }

    @Test
    void deletesAFile() throws IOException {
        write(io.newOutputFile(location("f")).create(), BYTES);

        io.deleteFile(location("f"));

        assertThat(names()).isEmpty();
    }

    @Test
    void fullDiskNamesTheFileAndLeavesNothing() throws IOException {
        Path target = directory.resolve("f.avro");
        Path written = Files.createFile(directory.resolve(".f.tmp"));
        FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
        DurableOutputStream stream = new DurableOutputStream(target, written, full);
        stream.write(BYTES, 0, BYTES.length);

        assertThatThrownBy(stream::close)
                .isInstanceOf(IOException.class)
                .hasMessage("Cannot write file " + target + ": No space left on device")
                .satisfies(e -> {
                    WeirException error = IcebergErrors.of("Cannot stage on table t", e);
                    assertThat(error.code()).isEqualTo(ErrorCode.DISK_FULL);
                    assertThat(error.text())
                            .isEqualTo("Cannot stage on table t: Cannot write file " + target
                                    + ": No space left on device");
                });

        assertThat(names()).isEmpty();
    }

    @Test
    void failedWriteIsNotMadeVisibleByClose() throws IOException {
        Path target = directory.resolve("f.avro");
        Path written = Files.createFile(directory.resolve(".f.tmp"));
        FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
        DurableOutputStream stream = new DurableOutputStream(target, written, full);

        assertThatThrownBy(() -> stream.write(new byte[200_000], 0, 200_000))
                .hasMessageContaining("No space left on device");
        stream.close();

        assertThat(names()).isEmpty();
    }

    private String location(String name) {
        return LocalFileIO.locationOf(directory.resolve(name));
    }

    private Stream<String> names() throws IOException {
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.map(path -> path.getFileName().toString()).toList().stream();
        }
    }

    private static void write(PositionOutputStream stream, byte[] bytes) throws IOException {
        try (stream) {
            stream.write(bytes);
        }
    }
}
