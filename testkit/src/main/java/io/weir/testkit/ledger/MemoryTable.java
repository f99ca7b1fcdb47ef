package io.weir.testkit.ledger;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Rows by key whose changes can be undone. */
final class MemoryTable<K, V> {
    private final Map<K, V> rows;
    private final Deque<Runnable> undo;

    /**
     * Makes an empty table.
     *
     * @param rows empty; its order is the order of the table
     * @param undo gets what reverts each change
     */
    MemoryTable(Map<K, V> rows, Deque<Runnable> undo) {
        this.rows = rows;
        this.undo = undo;
    }

    Optional<V> get(K key) {
        return Optional.ofNullable(rows.get(key));
    }

    boolean has(K key) {
        return rows.containsKey(key);
    }

    void put(K key, V row) {
        V before = rows.put(key, row);
        undo.push(() -> restore(key, before));
    }

    boolean remove(K key) {
        V before = rows.remove(key);
        if (before == null) {
            return false;
        }
        undo.push(() -> restore(key, before));
        return true;
    }

    Collection<V> all() {
        return rows.values();
    }

    List<V> where(Predicate<V> condition) {
        List<V> found = new ArrayList<>();
        for (V row : rows.values()) {
            if (condition.test(row)) {
                found.add(row);
            }
        }
        return found;
    }

    private void restore(K key, @Nullable V before) {
        if (before == null) {
            rows.remove(key);
        } else {
            rows.put(key, before);
        }
    }
}
