package io.weir.testkit.simulation;

import io.weir.testkit.simulation.SourceModel.Row;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Durable files by location. */
final class FileModel {
    private final Map<String, List<Row>> files = new LinkedHashMap<>();

    void write(String path, List<Row> rows) {
        files.put(path, List.copyOf(rows));
    }

    Optional<List<Row>> read(String path) {
        return Optional.ofNullable(files.get(path));
    }

    void delete(String path) {
        files.remove(path);
    }

    List<String> under(String prefix) {
        List<String> found = new ArrayList<>();
        for (String path : files.keySet()) {
            if (path.startsWith(prefix)) {
                found.add(path);
            }
        }
        return found;
    }
}
