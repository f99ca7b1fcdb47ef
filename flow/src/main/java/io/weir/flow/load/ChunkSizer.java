package io.weir.flow.load;

/**
 * Turns the wished size of a file into a budget of source bytes. How well rows compress is unknown
 * before the first file, so it starts careful and follows what files really took. Shared by
 * workers.
 */
final class ChunkSizer {
    private static final double FIRST_RATIO = 3;
    private static final double RATIO_MIN = 1;
    private static final double RATIO_MAX = 20;

    private final long fileBytes;
    private double sourceBytesPerFileByte = FIRST_RATIO;

    ChunkSizer(long fileBytes) {
        this.fileBytes = fileBytes;
    }

    synchronized long sourceBytesMax() {
        return (long) (fileBytes * sourceBytesPerFileByte);
    }

    synchronized void learn(long sourceBytes, long writtenBytes) {
        if (writtenBytes > 0) {
            double ratio = (double) sourceBytes / writtenBytes;
            sourceBytesPerFileByte = Math.min(RATIO_MAX, Math.max(RATIO_MIN, ratio));
        }
    }
}
