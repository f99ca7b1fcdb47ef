package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.route.PartitionBy;
import io.weir.engine.MergeStrategy;
import io.weir.engine.Uniqueness;
import io.weir.table.LogPosition;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Histories from a seed, merged in windows that overlap and come again: after each window the table
 * is what the source was at its end. A history that lacks one change stops at the next change of
 * the key.
 */
class RandomHistoryTest {
    private static final int KEYS = 8;
    private static final int WINDOWS = 6;

    @TempDir
    Path directory;

    private final Map<Integer, String> source = new TreeMap<>();
    private final List<LogPosition> ends = new ArrayList<>(List.of(LogPosition.NONE));

    @ParameterizedTest
    @CsvSource({
        "1, ROW_HASH, INCREMENTAL, ''",
        "2, ROW_HASH, FULL, name",
        "3, PRIMARY_KEY, INCREMENTAL, ''",
        "4, PRIMARY_KEY, FULL, 'bucket(3, id)'",
        "5, ROW_HASH, INCREMENTAL, 'truncate(1, name)'"
    })
    void tableIsTheSourceAfterEachWindow(
            int seed, MergeStrategy strategy, Uniqueness uniqueness, String partitionBy) {
        Random random = new Random(seed);
        PartitionBy partitions =
                partitionBy.isEmpty() ? PartitionBy.NOTHING : PartitionBy.parse(partitionBy);
        try (MergeHouse house = new MergeHouse(directory, List.of("id"), partitions)) {
            house.by(strategy).with(uniqueness);
            for (int window = 0; window < WINDOWS; window++) {
                int transactions = 1 + random.nextInt(4);
                for (int i = 0; i < transactions; i++) {
                    ends.add(house.commit(transaction(random, true).toArray(new String[0])));
                }
                // Any window that begins where the table is, or before.
                LogPosition from = ends.get(random.nextInt(ends.size() - transactions));
                MergeAnswer answer = house.window(from, house.position());
                assertThat(answer).as("window %d", window).isInstanceOf(MergePlan.class);
                assertThat(house.rows()).as("window %d", window).isEqualTo(rows());
                assertThat(house.balances()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"11", "12", "13"})
    void historyThatLacksAChangeNeverGoesOnFromIt(int seed) {
        Random random = new Random(seed);
        try (MergeHouse house = new MergeHouse(directory)) {
            for (int i = 0; i < 4; i++) {
                house.commit(transaction(random, false).toArray(new String[0]));
            }
            house.published();
            List<String> changes = transaction(random, false);
            int lost = 0;
            while (changesNothing(changes.get(lost))) {
                lost++;
            }
            int key = Integer.parseInt(changes.get(lost).split(" ", 3)[1]);
            String change = changes.remove(lost);
            List<String> before = house.rows();
            house.commit(changes.toArray(new String[0]));
            // Every key changes once more.
            List<String> touch = new ArrayList<>();
            for (Map.Entry<Integer, String> row : new TreeMap<>(source).entrySet()) {
                touch.add("update " + text(row.getKey(), row.getValue()) + " > "
                        + text(row.getKey(), "z 1000"));
            }
            for (int id = 0; id < KEYS; id++) {
                if (!source.containsKey(id)) {
                    touch.add("insert " + text(id, "z 1000"));
                }
            }
            house.commit(touch.toArray(new String[0]));
            MergeAnswer answer = house.window();
            assertThat(answer).as("without %s", change).isInstanceOf(MergeStop.class);
            assertThat(((MergeStop) answer).key()).isEqualTo("id=" + key);
            assertThat(house.rows()).isEqualTo(before);
        }
    }

    /** Nobody misses an update to the same row, and nobody has to. */
    private static boolean changesNothing(String change) {
        String[] images = change.substring(change.indexOf(' ') + 1).split(" > ", 2);
        return images.length == 2 && images[0].equals(images[1]);
    }

    private List<String> transaction(Random random, boolean truncates) {
        List<String> changes = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            int id = random.nextInt(KEYS);
            String row = source.get(id);
            if (truncates && random.nextInt(25) == 0) {
                source.clear();
                changes.add("truncate");
            } else if (row == null) {
                source.put(id, value(random));
                changes.add("insert " + text(id, source.get(id)));
            } else if (random.nextInt(3) == 0) {
                source.remove(id);
                changes.add("delete " + text(id, row));
            } else {
                source.put(id, value(random));
                changes.add("update " + text(id, row) + " > " + text(id, source.get(id)));
            }
        }
        return changes;
    }

    /** Few values, so that rows come back to what they were. */
    private static String value(Random random) {
        return List.of("eu", "us", "~").get(random.nextInt(3)) + " " + random.nextInt(3);
    }

    private static String text(int id, String values) {
        return id + " " + values;
    }

    private List<String> rows() {
        List<String> rows = new ArrayList<>();
        source.forEach((id, values) -> rows.add(text(id, values)));
        Collections.sort(rows);
        return rows;
    }
}
