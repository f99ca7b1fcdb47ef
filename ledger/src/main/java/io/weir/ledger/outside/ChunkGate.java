package io.weir.ledger.outside;

import java.math.BigInteger;
import java.util.List;

/** Whether the files of a partition are all of it. Pure. */
enum ChunkGate {
    /** There are fewer files than the report says that the partition has. */
    OPEN,
    /** All files, and the rows that the source counted. */
    COMPLETE,
    /** As many files as announced, yet not those or not those rows. */
    BROKEN;

    /**
     * Decides after a report.
     *
     * @param chunks every chunk of the claim, the reported one among them
     * @param total how many the report says there are
     */
    static ChunkGate of(List<OutsideChunk> chunks, int total, long expectedRows) {
        if (chunks.size() < total) {
            return OPEN;
        }
        boolean whole = chunks.size() == total
                && chunks.stream().allMatch(chunk -> chunk.total() == total)
                && chunks.stream().mapToInt(OutsideChunk::index).min().orElse(-1) == 0
                && chunks.stream().mapToInt(OutsideChunk::index).max().orElse(-1) == total - 1;
        return whole && rows(chunks).equals(BigInteger.valueOf(expectedRows)) ? COMPLETE : BROKEN;
    }

    static BigInteger rows(List<OutsideChunk> chunks) {
        return chunks.stream()
                .map(chunk -> BigInteger.valueOf(chunk.rows()))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }
}
