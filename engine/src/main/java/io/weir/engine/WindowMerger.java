package io.weir.engine;

import io.weir.core.row.Balance;
import io.weir.core.row.RowPositions;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Merges one window in a database that it has for itself. */
final class WindowMerger {
    private final MergeSession session;
    private final MergeInput input;
    private final ParquetWriter writer;

    WindowMerger(MergeSession session, MergeInput input, ParquetWriter writer) {
        this.session = session;
        this.input = input;
        this.writer = writer;
    }

    MergeResult merge(Path directory) throws SQLException, IOException {
        MergeChanges changes = new MergeChanges(session, input);
        changes.load();
        if (changes.count() == 0) {
            return nothing(changes);
        }
        MergeLocation location = new MergeLocation(session, input);
        boolean emptied = changes.truncates() > 0;
        Optional<MergeResult.Broken> broken;
        List<Long> counts;
        if (input.hasKey()) {
            KeyedMerge merge = new KeyedMerge(session, input, changes, location);
            broken = merge.work();
            if (broken.isPresent()) {
                return new BrokenRows(session, input, changes, location).readable(broken.get());
            }
            counts = merge.counts(emptied);
        } else {
            broken = new MultisetMerge(session, input, changes, location).work();
            if (broken.isPresent()) {
                return broken.get();
            }
            counts = List.of(
                    session.number("SELECT count(*) FROM coming"),
                    0L,
                    session.number("SELECT count(*) FROM removed"));
        }
        Balance before = session.balance("h", "removed");
        Balance after = session.balance("h", "coming");
        broken = checkSums(changes, emptied, after.minus(before));
        if (broken.isPresent()) {
            return broken.get();
        }
        return new MergeResult.Merged(
                changes.count(),
                changes.replays(),
                counts.get(0),
                counts.get(1),
                counts.get(2),
                changes.truncates(),
                new AddedFiles(session, input, writer).write(directory),
                location.removed(),
                before,
                after);
    }

    private MergeResult nothing(MergeChanges changes) {
        List<RowPositions> removed =
                input.files().stream().map(file -> RowPositions.NONE).toList();
        return new MergeResult.Merged(
                0, changes.replays(), 0, 0, 0, 0, List.of(), removed, Balance.ZERO, Balance.ZERO);
    }

    /** Where changes tell all digests, they and the rows must come to the same. */
    private Optional<MergeResult.Broken> checkSums(
            MergeChanges changes, boolean emptied, Balance net) throws SQLException {
        boolean told = input.exact() && !emptied && changes.tellsAllDigests();
        if (!told) {
            return Optional.empty();
        }
        Balance expected = session.balance("a", "events").minus(session.balance("b", "events"));
        if (expected.equals(net)) {
            return Optional.empty();
        }
        return Optional.of(new MergeResult.Broken(
                MergeResult.Kind.SUMS_DIFFER, "", expected.toString(), net.toString(), 0, 0));
    }
}
