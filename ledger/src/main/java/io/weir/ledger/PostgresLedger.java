package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.access.AccessBooks;
import io.weir.ledger.alert.AlertBooks;
import io.weir.ledger.database.Database;
import io.weir.ledger.fsck.Finding;
import io.weir.ledger.lineage.LineageBooks;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.watch.LedgerWatch;
import io.weir.ledger.watch.WatchBooks;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The books in a PostgreSQL database, schema {@code weir}. Safe for use by many threads. */
public final class PostgresLedger extends BookLedger implements AutoCloseable {
    private final Database database;
    private final LedgerSettings settings;

    private PostgresLedger(Database database, LedgerSettings settings) {
        super(database.transactions(), database.signs(), settings);
        this.database = database;
        this.settings = settings;
    }

    /**
     * Opens the books and brings their schema up to date. Any number of processes may do so at
     * once.
     *
     * @param password null if the server asks for none
     * @throws WeirException {@link ErrorCode#LEDGER_UNREACHABLE}; {@link ErrorCode#LEDGER_INVALID}
     *     for a server before PostgreSQL 13, a refused user, or a schema of another version
     */
    public static PostgresLedger open(String jdbcUrl, String user, @Nullable String password) {
        return open(jdbcUrl, user, password, LedgerSettings.DEFAULTS);
    }

    /** The same with other settings. */
    public static PostgresLedger open(
            String jdbcUrl, String user, @Nullable String password, LedgerSettings settings) {
        return new PostgresLedger(
                Database.open(
                        jdbcUrl, user, password, settings.connectionsMax(), settings.claimLease()),
                settings);
    }

    /**
     * Asks every invariant of the books, at one state of them, and changes nothing. An invariant
     * that holds is a finding without rows.
     *
     * @return one for each invariant, in the order in which {@code docs/reference/fsck.md} lists
     *     them; of the violations of each at most 10,000
     * @throws WeirException {@link ErrorCode#LEDGER_UNREACHABLE}
     */
    public List<Finding> fsck() {
        return database.fsck(settings.claimsMax());
    }

    /** The books of outside runs in the same database. */
    public OutsideLedger outside(OutsideSettings outsideSettings) {
        return new OutsideLedger(database.outside(), outsideSettings);
    }

    /** The books of replication in the same database. */
    public ReplicaBooks replicas() {
        return database.replicas();
    }

    /** Who may call the API, and the journal of what was done. */
    public AccessBooks access() {
        return database.access();
    }

    /** What people have to be told of replication. */
    public AlertBooks alerts() {
        return database.alerts();
    }

    /** What has to be told of runs to those who keep lineage. */
    public LineageBooks lineage() {
        return database.lineage();
    }

    /** From now on somebody is told how the database does; what there is to see. */
    public WatchBooks watch(LedgerWatch watcher) {
        database.watch(watcher);
        return database.watched(settings.claimLease());
    }

    @Override
    public void close() {
        database.close();
    }
}
