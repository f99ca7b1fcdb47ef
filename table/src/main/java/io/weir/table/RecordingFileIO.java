package io.weir.table;

import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.LinkedHashSet;
import java.util.List;

/** The files of somebody else, and a list of those that were begun here. */
final class RecordingFileIO implements FileIO {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(RecordingFileIO.class);

    private final FileIO files;
    private final LinkedHashSet<String> written = new LinkedHashSet<>();

    RecordingFileIO(FileIO files) {
        this.files = files;
    }

    /** Deletes what was written here; what cannot be deleted stays, and nobody names it. */
    void deleteWritten() {
        for (String location : List.copyOf(written)) {
            try {
                deleteFile(location);
            } catch (RuntimeException e) {
                LOG.atDebug()
                        .setCause(e)
                        .addKeyValue("location", location)
                        .log("File of a refused commit not deleted");
            }
        }
    }

    @Override
    public InputFile newInputFile(String location) {
        return files.newInputFile(location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        written.add(location);
        return files.newOutputFile(location);
    }

    @Override
    public void deleteFile(String location) {
        written.remove(location);
        files.deleteFile(location);
    }
}
