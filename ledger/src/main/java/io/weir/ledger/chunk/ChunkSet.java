package io.weir.ledger.chunk;

import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.Loss;
import io.weir.core.run.Partition;
import io.weir.ledger.sql.LossJson;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The chunks of one partition and epoch: those in the books and those reported now. */
public final class ChunkSet {
    private final TreeMap<Integer, ChunkRow> all = new TreeMap<>();
    private final List<ChunkRow> fresh = new ArrayList<>();
    private final Optional<Partition> totals;
    private Optional<String> conflict = Optional.empty();

    private ChunkSet(Optional<Partition> totals) {
        this.totals = totals;
    }

    /**
     * Reported chunks on top of those that a partition counts, where it is known that nothing in
     * the books has their indexes and that the last chunk is not there yet.
     *
     * @param reported none of them the last
     */
    public static ChunkSet onTop(Partition partition, List<ChunkRow> reported) {
        ChunkSet set = new ChunkSet(Optional.of(partition));
        reported.forEach(set::add);
        set.checkPlaces();
        return set;
    }

    public static ChunkSet of(List<ChunkRow> booked, List<ChunkRow> reported) {
        ChunkSet set = new ChunkSet(Optional.empty());
        booked.forEach(row -> set.all.put(row.chunk().index(), row));
        reported.forEach(set::add);
        set.checkPlaces();
        return set;
    }

    /** Those that are not in the books yet. */
    public List<ChunkRow> fresh() {
        return List.copyOf(fresh);
    }

    /** Why the reports contradict the books or each other. */
    public Optional<String> conflict() {
        return conflict;
    }

    /** Whether the last chunk is known and none before it is missing. */
    public boolean isComplete() {
        return !all.isEmpty()
                && all.lastEntry().getValue().chunk().last()
                && all.size() == all.lastKey() + 1;
    }

    public int count() {
        return all.size() + totals.map(Partition::chunkCount).orElse(0);
    }

    public long bytes() {
        return all.values().stream()
                .mapToLong(row -> row.chunk().bytes())
                .reduce(totals.map(Partition::bytes).orElse(0L), Math::addExact);
    }

    public Balance balance() {
        return all.values().stream()
                .map(row -> row.chunk().balance())
                .reduce(totals.map(Partition::balance).orElse(Balance.ZERO), Balance::plus);
    }

    public List<Loss> losses() {
        List<Loss> losses = new ArrayList<>();
        all.values().forEach(row -> losses.addAll(row.losses()));
        return LossJson.sum(losses, List.of());
    }

    private void add(ChunkRow reported) {
        ChunkRow booked = all.putIfAbsent(reported.chunk().index(), reported);
        if (booked == null) {
            fresh.add(reported);
        } else if (!sameContent(booked, reported)) {
            conflict = Optional.of("chunk " + booked.chunk().index()
                    + " was reported with other content (before="
                    + content(booked) + ", now=" + content(reported) + ")");
        }
    }

    /** No chunk after the last one. */
    private void checkPlaces() {
        for (ChunkRow row : all.values()) {
            Chunk chunk = row.chunk();
            if (chunk.last() && chunk.index() != all.lastKey()) {
                conflict = Optional.of("chunk " + chunk.index()
                        + " is the last, yet there is another" + " (index=" + all.lastKey() + ")");
            }
        }
    }

    private static boolean sameContent(ChunkRow booked, ChunkRow reported) {
        return content(booked).equals(content(reported));
    }

    private static String content(ChunkRow row) {
        Chunk chunk = row.chunk();
        return chunk.bytes() + " bytes " + chunk.balance()
                + (chunk.last() ? " last" : "")
                + (row.losses().isEmpty() ? "" : " losses " + LossJson.write(row.losses()));
    }
}
