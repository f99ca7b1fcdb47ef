package io.weir.source;

import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;

import java.util.List;
import java.util.Optional;

/**
 * One state of a database, held until it is closed. Planning methods are for one thread; each
 * reader is for one thread of its own. Every method throws {@link
 * io.weir.core.error.WeirException}.
 */
public interface SourceSnapshot extends AutoCloseable {
    /** What {@link Source#joinSnapshot} takes, as long as this snapshot is held. */
    SnapshotToken token();

    /**
     * Where the log of the database stood when the snapshot was taken; not before. Empty if the
     * snapshot was joined.
     */
    Optional<Position> position();

    /** What was really obtained. */
    Consistency consistency();

    /** The table at this state; one of those that the snapshot was opened for. */
    SourceTable table(TableSpec spec);

    /** Ranges that are proven by {@link SplitProof}: at least one, in order. */
    List<KeyRange> split(TableSpec spec, SplitOptions options);

    /** The statement that reads a range. It is not run. */
    String sql(TableSpec spec, KeyRange range);

    /**
     * Measures the table at this state in one statement, of the values as they will be stored.
     *
     * @param names in the order of the result
     */
    List<Measure> expectation(TableSpec spec, List<MetricName> names);

    /** The reader at an index from 0 to the number of readers that were opened, exclusive. */
    TableReader reader(int index);

    /**
     * Proves that the snapshot is still held, so that its token can be joined. Asks the server and
     * waits some seconds at most. Any thread may ask; while a planning method waits for the server
     * this returns at once, because that method tells.
     *
     * @throws io.weir.core.error.WeirException {@code SOURCE_CONNECTION_LOST} if the connection
     *     broke or the server is silent; {@code SOURCE_SNAPSHOT_EXPIRED} if the server gave the
     *     snapshot up
     */
    void check();

    /** Ends every connection; a read that is under way fails. */
    @Override
    void close();
}
