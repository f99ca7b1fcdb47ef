package io.weir.ledger;

import io.weir.core.run.Partition;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.SeenPartition;

import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claimed partitions as this process last saw them, so that a report need not ask for what it
 * wrote itself a moment ago. Nothing here has to be true: whatever is decided on it is written only
 * if the row has not moved since.
 */
final class KnownClaims {
    private static final int CLAIMS_MAX = 10_000;

    private final Map<PartitionKey, KnownClaim> claims = new ConcurrentHashMap<>();

    /**
     * A partition and the chunks of its claim.
     *
     * @param row its signs of life may be older than the rest
     * @param at a time at or after which it was so, by the clock of the books
     * @param chunks indexes of what was reported; never changed in place
     */
    record KnownClaim(Partition row, Instant at, String dataPath, BitSet chunks) {
        boolean has(int index) {
            return chunks.get(index);
        }

        /** After one more report. */
        KnownClaim with(Partition after, Instant now, List<ChunkRow> reported) {
            BitSet more = (BitSet) chunks.clone();
            reported.forEach(chunk -> more.set(chunk.chunk().index()));
            return new KnownClaim(after, now, dataPath, more);
        }
    }

    Optional<KnownClaim> find(PartitionKey key) {
        return Optional.ofNullable(claims.get(key));
    }

    /** A partition whose last chunk is known is left out: its next report is no plain one. */
    void put(SeenPartition seen) {
        if (!seen.lastReported()) {
            BitSet chunks = new BitSet();
            seen.chunks().forEach(chunks::set);
            put(new KnownClaim(seen.row(), seen.at(), seen.dataPath(), chunks));
        }
    }

    void put(KnownClaim claim) {
        if (claims.size() >= CLAIMS_MAX) {
            claims.clear();
        }
        claims.put(PartitionKey.of(claim.row), claim);
    }

    void forget(PartitionKey key) {
        claims.remove(key);
    }
}
