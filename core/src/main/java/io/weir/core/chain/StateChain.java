package io.weir.core.chain;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

/**
 * Follows the changes of one key in the order of the log. The state is a multiset of digests: a
 * change takes its before away and puts its after in. Within a transaction any multiset is legal;
 * at its end a key holds at most one row, and the next transaction must start there.
 *
 * <p>The row before the window is not given. The first transaction that takes a row away or leaves
 * another state behind tells what it must have been. Used again after {@link #reset}; not
 * thread-safe.
 */
public final class StateChain {
    private final List<Row> rows = new ArrayList<>();
    private final List<@Nullable UUID> states = new ArrayList<>();
    private @Nullable UUID demanded;
    private boolean known;
    private long place;
    private @Nullable Break broken;

    /** Forgets everything: another key begins. */
    public void reset() {
        rows.clear();
        states.clear();
        demanded = null;
        known = false;
        place = 0;
        broken = null;
    }

    /**
     * The next change of the key.
     *
     * @param changePlace number of its transaction; grows along the log
     * @param ordinal of the change in its transaction
     * @param before digest of the row that it takes away; null for none
     * @param after digest of the row that it puts in; null for none
     * @throws IllegalArgumentException if the place is below that of an earlier change
     */
    public void change(
            long changePlace, long ordinal, @Nullable UUID before, @Nullable UUID after) {
        enter(changePlace);
        if (broken != null) {
            return;
        }
        if (before != null) {
            take(before, ordinal);
        }
        if (after != null) {
            rows.add(new Row(after, changePlace, ordinal));
        }
    }

    private void enter(long changePlace) {
        if (changePlace < place) {
            throw new IllegalArgumentException("Place " + changePlace + " comes after " + place);
        }
        if (changePlace > place) {
            commit();
            place = changePlace;
        }
    }

    /** Takes the oldest of equal rows. */
    private void take(UUID before, long ordinal) {
        Iterator<Row> iterator = rows.iterator();
        while (iterator.hasNext()) {
            if (iterator.next().digest().equals(before)) {
                iterator.remove();
                return;
            }
        }
        if (known || demanded != null) {
            UUID found = rows.isEmpty() ? null : rows.get(rows.size() - 1).digest();
            broken = new Break(Break.Kind.ROW_MISSING, place, ordinal, before, found);
            return;
        }
        demanded = before;
    }

    private void commit() {
        if (broken != null || place == 0) {
            return;
        }
        if (rows.size() > 1) {
            broken = new Break(
                    Break.Kind.TWO_ROWS,
                    place,
                    0,
                    rows.get(0).digest(),
                    rows.get(1).digest());
            return;
        }
        boolean tells = known || demanded != null || !rows.isEmpty();
        if (!tells) {
            return;
        }
        if (states.isEmpty()) {
            states.add(demanded);
        }
        known = true;
        states.add(rows.isEmpty() ? null : rows.get(0).digest());
    }

    /** What breaks the chain, once {@link #finish} was called; null if nothing does. */
    public @Nullable Break broken() {
        return broken;
    }

    /**
     * Ends the last transaction.
     *
     * @return the chain; of no use if it is {@link #broken}
     */
    public Chain finish() {
        commit();
        Row last = rows.isEmpty() ? null : rows.get(0);
        return new Chain(
                Collections.unmodifiableList(new ArrayList<>(states)),
                last == null ? 0 : last.place(),
                last == null ? 0 : last.ordinal());
    }

    private record Row(UUID digest, long place, long ordinal) {}
}
