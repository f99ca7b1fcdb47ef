package io.weir.source.postgresql;

import java.util.Comparator;
import java.util.List;

/** Finds what somebody probably meant. */
final class NearNames {
    private static final int SUGGESTIONS_MAX = 3;

    private NearNames() {}

    private record Scored(String name, int distance) {}

    /** Relations of the same name elsewhere, then those whose names differ little. */
    static List<String> of(RelationName wanted, List<RelationName> existing) {
        List<String> elsewhere = existing.stream()
                .filter(name -> distance(name.name(), wanted.name()) == 0)
                .map(RelationName::toString)
                .sorted()
                .limit(SUGGESTIONS_MAX)
                .toList();
        if (!elsewhere.isEmpty()) {
            return elsewhere;
        }
        return nearest(
                wanted.toString(),
                existing.stream().map(RelationName::toString).toList(),
                far(wanted.name()));
    }

    /** The few names that differ least from one that does not exist; none if all are far. */
    static List<String> of(String wanted, List<String> existing) {
        return nearest(wanted, existing, far(wanted));
    }

    private static int far(String wanted) {
        return Math.max(1, wanted.length() / 3);
    }

    private static List<String> nearest(String wanted, List<String> existing, int far) {
        return existing.stream()
                .map(name -> new Scored(name, distance(wanted, name)))
                .filter(scored -> scored.distance() <= far)
                .sorted(Comparator.comparingInt(Scored::distance).thenComparing(Scored::name))
                .limit(SUGGESTIONS_MAX)
                .map(Scored::name)
                .toList();
    }

    /** Insertions, deletions and replacements between two texts; case differs at no cost. */
    static int distance(String left, String right) {
        int[] previous = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] current = new int[right.length() + 1];
            current[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                boolean same = fold(left.charAt(i - 1)) == fold(right.charAt(j - 1));
                int replaced = previous[j - 1] + (same ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[right.length()];
    }

    private static char fold(char c) {
        return Character.toLowerCase(c);
    }
}
