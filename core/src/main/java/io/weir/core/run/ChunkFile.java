package io.weir.core.run;

import org.jspecify.annotations.Nullable;

/**
 * Where the files of chunks lie. A location follows from what names its chunk and from nothing
 * else: no two chunks can have one file, nobody can report a file of another claim, and a ledger
 * need not remember locations to make sure of it.
 */
public final class ChunkFile {
    private static final int DIGITS = 6;

    private ChunkFile() {}

    /**
     * Where the files of one claim live; no other claim ever writes there.
     *
     * @param dataPath of the run
     * @param epoch of the claim
     * @return a location that ends in a slash, such as {@code …/run=…/p=0003/e=1/}
     */
    public static String directory(String dataPath, PartitionId id, long epoch) {
        return dataPath + "/p=" + id + "/e=" + epoch + "/";
    }

    /**
     * The name of a file in the directory of its claim.
     *
     * @param index of the chunk
     * @return such as {@code 0003-000017.parquet}; those of the first million sort by index
     */
    public static String name(PartitionId id, int index) {
        String digits = Integer.toString(index);
        return id + "-" + "0".repeat(Math.max(0, DIGITS - digits.length())) + digits + ".parquet";
    }

    /**
     * The full location of the file of a chunk.
     *
     * @param directory of its claim
     * @param bytes of the file
     * @return null for a chunk of no bytes: it has no file
     */
    public static @Nullable String path(String directory, PartitionId id, int index, long bytes) {
        return bytes == 0 ? null : directory + name(id, index);
    }
}
