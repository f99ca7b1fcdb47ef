package io.weir.flow.replicate;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.engine.Engine;
import io.weir.engine.MergeFile;
import io.weir.flow.outsidelog.OutsideLook;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.table.LakeCatalog;
import io.weir.table.LocalFileIO;
import io.weir.table.LogPosition;
import io.weir.table.ReplicaState;
import io.weir.table.ReplicaTable;

import java.util.List;

/** The rows that tables of outside logs begin with: none, or those that are there. */
final class OutsideBeginning {
    private final OutsideJob job;
    private final LakeCatalog catalog;
    private final Engine engine;

    OutsideBeginning(OutsideJob job, LakeCatalog catalog, Engine engine) {
        this.job = job;
        this.catalog = catalog;
        this.engine = engine;
    }

    /** Whether the change log of a table has to begin with a TRUNCATE. */
    boolean isEmptying(Replica replica) {
        return job.initial() == Initial.LOG_ONLY && replica.generation() > 1;
    }

    /**
     * Makes the target ready for its first window.
     *
     * @return the place that its rows are at
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} if it holds rows of which nobody says
     *     where they are
     */
    LogPlace begin(OutsideTable table, Replica replica) {
        return job.initial() == Initial.FROM_TABLE
                ? withRows(table, replica)
                : empty(table, replica);
    }

    private LogPlace empty(OutsideTable table, Replica replica) {
        ReplicaTable target = target(table);
        LogPosition start = Places.of(LogPlace.START);
        if (replica.generation() == 1) {
            requireEmpty(table, target);
            target.begin(start, true);
        } else {
            // Readers keep the rows until a window has proven those that take their place.
            long main = target.lake().currentSnapshotId();
            List<MergeFile> files = target.filesOf(main).stream()
                    .map(file -> new MergeFile(
                            LocalFileIO.pathOf(file.file().path()),
                            file.file().rows(),
                            file.deleted()))
                    .toList();
            target.beginAnew(
                    main,
                    start,
                    engine.measureHashed(files, target.rows(), target.rowHash()).balance());
        }
        return LogPlace.START;
    }

    private ReplicaTable target(OutsideTable table) {
        if (catalog.tables().contains(table.target())) {
            ReplicaTable target = catalog.replica(table.target());
            OutsideLook.requireSameKey(table.log(), table.name(), target.rows());
            return target;
        }
        List<Column> columns = new OutsideLook(engine).columns(table.log(), table.name());
        return catalog.prepareReplica(
                table.target(), columns, table.log().key(), table.partitionBy());
    }

    private static void requireEmpty(OutsideTable table, ReplicaTable target) {
        boolean empty;
        try {
            empty = target.state().balance().rows() == 0;
        } catch (WeirException e) {
            if (e.code() != ErrorCode.TABLE_MOVED) {
                throw e;
            }
            empty = false;
        }
        if (!empty) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot keep table " + table.target() + " from its log alone: it has rows"
                            + " already",
                    "Write initial: from-table in the job file, or name another target.",
                    null);
        }
    }

    private LogPlace withRows(OutsideTable table, Replica replica) {
        ReplicaTable target = catalog.replica(table.target());
        OutsideLook.requireSameKey(table.log(), table.name(), target.rows());
        LogPlace given = job.asOf();
        LogPlace at = given == null ? LogPlace.START : given;
        if (replica.generation() > 1) {
            requireLoaded(table, target, at);
        }
        target.begin(Places.of(at), given != null);
        return at;
    }

    /** Rows that windows of ours made are somewhere else than the job file says. */
    private static void requireLoaded(OutsideTable table, ReplicaTable target, LogPlace at) {
        try {
            ReplicaState state = target.state();
            if (state.merged().place() == at.place()) {
                return;
            }
        } catch (WeirException e) {
            if (e.code() == ErrorCode.TABLE_MOVED) {
                return;
            }
            throw e;
        }
        throw new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot begin anew with table " + table.target() + ": its rows were not loaded"
                        + " since",
                "Load it with weir load and row-hash: true, say in as-of where it is, then run weir"
                        + " continue " + table.target() + " --reason TEXT.",
                null);
    }
}
