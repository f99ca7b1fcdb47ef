package io.weir.core.error;

/**
 * Every way in which Weir refuses or fails. Names are stable; {@code docs/reference/errors.md}
 * lists them and a test keeps the two equal.
 */
public enum ErrorCode {
    CONFIG_NOT_FOUND(ErrorKind.NOT_FOUND, "The job file cannot be read.", "Check the path."),
    CONFIG_INVALID(
            ErrorKind.INVALID,
            "The job file has a value that cannot be used.",
            "Correct the named lines; docs/reference/config.md lists every key."),
    CONFIG_UNKNOWN_KEY(
            ErrorKind.INVALID,
            "The job file has a key that does not exist.",
            "Correct the key; docs/reference/config.md lists every key."),
    SECRET_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "A ${env:…} or ${file:…} reference points to nothing.",
            "Set the environment variable or create the file."),
    JOB_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "The job file has no job of this name.",
            "Name one of the jobs in the file."),

    SOURCE_UNREACHABLE(
            ErrorKind.TRANSIENT,
            "The source database does not answer.",
            "Check host, port and network, then run again."),
    SOURCE_AUTHENTICATION_FAILED(
            ErrorKind.TERMINAL,
            "The source database refuses the user or the password.",
            "Check user and password of the source in the job file."),
    SOURCE_PRIVILEGE_MISSING(
            ErrorKind.TERMINAL,
            "The user may not read what the job reads.",
            "Grant the missing privilege to the user of the source."),
    SOURCE_TABLE_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "The source has no such table.",
            "Check schema and name of the table in the job file."),
    SOURCE_COLUMN_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "The table has no such column.",
            "Check the column names in the job file."),
    SOURCE_TYPE_UNSUPPORTED(
            ErrorKind.INVALID,
            "A column has a type that Weir does not read.",
            "Leave the column out with load.exclude, or load a view that casts it."),
    SOURCE_VALUE_UNREPRESENTABLE(
            ErrorKind.TERMINAL,
            "A value cannot be held by the target type.",
            "Mend the row, or declare load.policies for the column: null or clamp."),
    SOURCE_ROWS_HIDDEN(
            ErrorKind.TERMINAL,
            "Row-level security would hide rows from the user of the source.",
            "Use a user with BYPASSRLS, or the owner of the table."),
    SOURCE_LOCKED(
            ErrorKind.TRANSIENT,
            "Another session holds a lock that keeps the table from being read.",
            "Wait for the other session or end it, then run again."),
    SOURCE_SNAPSHOT_EXPIRED(
            ErrorKind.TRANSIENT,
            "The database no longer holds the snapshot of the run.",
            "Run again: a new run reads at a new snapshot."),
    SOURCE_CONNECTION_LOST(
            ErrorKind.TRANSIENT,
            "The connection to the source broke while rows were read.",
            "Check the network and the server log of the source, then run again."),
    SOURCE_QUERY_FAILED(
            ErrorKind.TERMINAL,
            "The source database refused a query.",
            "Read the message of the database."),

    CAPTURE_SERVER_UNFIT(
            ErrorKind.TERMINAL,
            "The source server is not set up for change streams.",
            "Run the statement that the message comes with."),
    CAPTURE_PUBLICATION_UNFIT(
            ErrorKind.TERMINAL,
            "The publication does not carry every change of a table.",
            "Run the statement that the message comes with."),
    CAPTURE_IDENTITY_UNFIT(
            ErrorKind.TERMINAL,
            "The log of the source does not tell enough of old rows.",
            "Run ALTER TABLE … REPLICA IDENTITY FULL, then load the table anew."),
    CAPTURE_SLOT_MISSING(
            ErrorKind.NOT_FOUND,
            "The source has no such replication slot.",
            "Create it and load the tables with it."),
    CAPTURE_SLOT_BUSY(
            ErrorKind.CONFLICT,
            "Another process reads the replication slot, or it is in the way of a new one.",
            "Wait for the other process or end it, then run again."),
    CAPTURE_SLOT_LOST(
            ErrorKind.TERMINAL,
            "The replication slot does not hold the changes that come next.",
            "Drop the slot, create it anew and load the tables again."),
    CAPTURE_SLOT_FULL(
            ErrorKind.TERMINAL,
            "The source keeps more of its log for the replication slot than allowed.",
            "Allow more and read the changes, or drop the slot."),
    CAPTURE_SCHEMA_CHANGED(
            ErrorKind.TERMINAL,
            "A table at the source has other columns than its change log.",
            "Undo the change, or run weir rebuild with the table."),
    CAPTURE_STREAM_BROKEN(
            ErrorKind.TERMINAL,
            "The change stream contradicts itself.",
            "Run again; if it happens at the same place, load the tables anew and report it."),
    CAPTURE_FAILED(
            ErrorKind.TERMINAL, "The change stream ended.", "Read the message of the source."),
    LOG_UNFIT(ErrorKind.INVALID, "An outside log cannot be read.", "Mend what the message names."),
    LOG_EMPTY(ErrorKind.TRANSIENT, "An outside log has no file yet.", "Check its directory."),
    LOG_FILE_UNFINISHED(
            ErrorKind.TRANSIENT, "A file of an outside log is not whole.", "Wait for its writer."),
    LOG_FILE_CHANGED(
            ErrorKind.TERMINAL, "A file of an outside log changed or is gone.", "Put it back."),
    LOG_FILE_LATE(
            ErrorKind.TERMINAL, "A file of an outside log came late.", "Run weir rebuild TABLE."),
    LOG_CHANGE_INVALID(
            ErrorKind.TERMINAL, "A row of an outside log tells no change.", "Ask its writer why."),

    TARGET_TABLE_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "The lake has no such table.",
            "Check the name; weir sql \"show all tables\" lists what there is."),
    TARGET_SCHEMA_MISMATCH(
            ErrorKind.INVALID,
            "The target table exists with other columns or partitions than the job needs.",
            "Load into another table, or change the target table to match."),
    TARGET_BUSY(
            ErrorKind.CONFLICT,
            "Another run is publishing to the target table.",
            "Wait until it ends; weir runs shows it."),
    TABLE_MOVED(
            ErrorKind.CONFLICT,
            "The target table changed while the run was under way.",
            "Run again; if it happens every time, find the other writer of the table."),
    TABLE_FOREIGN_WRITE(
            ErrorKind.TERMINAL,
            "A snapshot on the target table was not written by Weir.",
            "Find the writer; load into a table that only Weir writes, or with publish: replace."),
    TABLE_COMMIT_FAILED(
            ErrorKind.TERMINAL, "The catalog refused a commit.", "Read the message it gave."),
    TABLE_COMMIT_UNKNOWN(
            ErrorKind.UNKNOWN_OUTCOME,
            "A commit to the target table may or may not have happened.",
            "Run the same command again: it looks at the table and settles the run first."),
    CATALOG_UNREACHABLE(
            ErrorKind.TRANSIENT, "The catalog does not answer.", "Check it, then run again."),
    DISK_FULL(
            ErrorKind.TERMINAL,
            "There is no space left where files are written.",
            "Free some space or move lake.warehouse, then run again."),
    FILE_UNREADABLE(
            ErrorKind.TERMINAL,
            "A file that the ledger lists is missing, truncated or damaged.",
            "Run again; check the disk that holds the warehouse."),
    VALIDATION_FAILED(
            ErrorKind.TERMINAL,
            "What was measured differs from what was expected; nothing was published.",
            "weir certificate RUN shows every metric; run again after finding the cause."),
    MERGE_CHAIN_BROKEN(
            ErrorKind.TERMINAL,
            "A change does not start from the row that the table or the log has; nothing was"
                    + " published.",
            "Find out which change got lost, then run weir rebuild TABLE, or weir continue TABLE"
                    + " --reason TEXT."),
    MERGE_KEY_NOT_UNIQUE(
            ErrorKind.TERMINAL,
            "A key would have more than one row; nothing was published.",
            "Run weir rebuild TABLE; if the source has the key once, a change got lost."),
    MERGE_BALANCE_DIFFERS(
            ErrorKind.TERMINAL,
            "Rows in files do not add up to what the changes say; nothing was published.",
            "Check the disk that holds the warehouse, then run weir rebuild TABLE."),
    MERGE_IMAGE_PARTIAL(
            ErrorKind.TERMINAL,
            "The log does not hold the whole rows that this way of merging needs.",
            "Merge by primary-key, or run ALTER TABLE … REPLICA IDENTITY FULL and weir rebuild"
                    + " TABLE."),
    MERGE_WINDOW_GAP(
            ErrorKind.CONFLICT,
            "Changes between the position of the table and the window would be left out.",
            "Merge from the position of the table; if the log no longer holds it, run weir"
                    + " rebuild TABLE."),
    QUERY_INVALID(
            ErrorKind.INVALID,
            "The query cannot be run.",
            "Read the message of the engine; weir sql \"show all tables\" lists what there is."),
    ENGINE_FAILED(
            ErrorKind.TERMINAL, "The embedded engine failed.", "Read the message of the engine."),
    ENGINE_MEMORY_EXCEEDED(
            ErrorKind.TERMINAL,
            "The embedded engine needs more memory than it has, and could not spill.",
            "Run it where more memory is free, or give it less at once, such as shorter windows."),

    RECORD_INVALID(
            ErrorKind.INVALID,
            "A record cannot become a row of the table.",
            "Mend the record, or choose another record policy; docs/ingest.md lists them."),
    INGEST_STATE_MISMATCH(
            ErrorKind.CONFLICT,
            "A call came in a state of the connection or transaction that does not allow it.",
            "Call in another order; docs/ingest.md draws the states."),
    INGEST_FENCED(
            ErrorKind.CONFLICT,
            "Another connection claimed the source of this one.",
            "One source has one writer: stop this one, or give each a source of its own."),
    INGEST_EXPIRED(
            ErrorKind.CONFLICT,
            "The lease of a transaction ended, or a person aborted it.",
            "Write its records again in a new transaction."),
    STREAM_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "The ledger has no such open transaction.",
            "weir transactions lists them."),

    RUN_NOT_FOUND(ErrorKind.NOT_FOUND, "The ledger has no such run.", "weir runs lists them."),
    PARTITION_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "The run has no such partition.",
            "weir show RUN lists the partitions."),
    DISPATCH_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "The run has no such dispatch.",
            "weir show RUN lists the dispatches."),
    DUPLICATE_ACTIVE_RUN(
            ErrorKind.CONFLICT,
            "A run of this job and business key is still active.",
            "Wait for it, or use another business key; weir runs shows it."),
    RUN_UNSETTLED(
            ErrorKind.CONFLICT,
            "An older run of this job and business key was left unfinished.",
            "Run weir load again: it looks at the table and settles the older run first."),
    REPLICATION_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "The books have no replicated job or table of this name.",
            "Name a job, or a table as the source or the lake has it."),
    REPLICATION_BUSY(
            ErrorKind.CONFLICT,
            "Another process replicates the job.",
            "Leave it to that process, or end it; its lease ends soon after it."),
    REPLICATION_PAUSED(
            ErrorKind.CONFLICT, "The job is paused.", "Run weir resume JOB to let it go on."),
    REPLICA_STATE_MISMATCH(
            ErrorKind.CONFLICT,
            "The replicated table is not in the state that the call needs.",
            "Run weir replicate JOB.YAML --status to see its state."),
    REPLICA_STOPPED(
            ErrorKind.TERMINAL,
            "A replicated table is stopped: something was found that must not be published.",
            "Mend the cause, then run the command that the stop names."),
    REPLICA_LATE(
            ErrorKind.TRANSIENT,
            "A replicated table did not reach the end of the window.",
            "Run again; the table goes on from where it is."),
    IDEMPOTENCY_KEY_REUSED(
            ErrorKind.CONFLICT,
            "The idempotency key was used before for another request.",
            "Use a new key for a new request."),
    MANIFEST_INVALID(
            ErrorKind.INVALID,
            "The manifest breaks an invariant of the split.",
            "Correct the named violations."),
    RUN_STATE_MISMATCH(
            ErrorKind.CONFLICT,
            "The run is not in the state that the call needs.",
            "weir show RUN tells the state."),
    CLAIM_MISMATCH(
            ErrorKind.CONFLICT,
            "The partition now belongs to another claim.",
            "Stop working on the partition; its new owner goes on."),
    CHUNK_CONFLICT(
            ErrorKind.CONFLICT,
            "The chunk was reported before with other content.",
            "Find out why one chunk was written twice; the run must not go on."),
    CHUNK_INVALID(
            ErrorKind.INVALID, "The chunk report cannot be right.", "Correct the named field."),
    PUBLISH_TOKEN_MISMATCH(
            ErrorKind.CONFLICT,
            "The publish attempt belongs to another token.",
            "Stop publishing; the owner of the attempt goes on."),
    RUN_STATUS_MISMATCH(
            ErrorKind.CONFLICT,
            "The run of an outside flow is not in the state that the call needs.",
            "End quietly: somebody else moved the run; GET /v1/runs/RUN tells the state."),
    FAIL_TRANSITION_NOT_ALLOWED(
            ErrorKind.INVALID,
            "A run cannot end this way in that state.",
            "Name one of the pairs in docs/reference/api.md."),
    INVALID_HDFS_ROOT(
            ErrorKind.INVALID,
            "The root of an outside run is no plain absolute path.",
            "Name an absolute path without . and .. segments."),
    HDFS_PATH_OUTSIDE_RUN(
            ErrorKind.INVALID,
            "A file lies outside the path of its run.",
            "Report only files below the path that the run was given."),
    CHUNK_INDEX_OUT_OF_RANGE(
            ErrorKind.INVALID,
            "The index of a chunk is not below the number of chunks.",
            "Count chunks from 0."),
    UNIQUE_VIOLATION(
            ErrorKind.CONFLICT,
            "One file was reported for two chunks.",
            "Find out why two chunks name one file; the run must not go on."),
    PARTITION_STATUS_MISMATCH(
            ErrorKind.CONFLICT,
            "The partition is not being read.",
            "End quietly; the partition was settled before."),
    DISPATCH_MISMATCH(
            ErrorKind.CONFLICT,
            "The dispatch does not ask this run for this step.",
            "Pass on the dispatch id that the receiver was called with."),
    DISPATCH_STATUS_MISMATCH(
            ErrorKind.CONFLICT,
            "The dispatch is in no state to be sent again.",
            "Only a dispatch that is DEAD or SENT, and still awaited, can be."),
    CLEANUP_NOT_DUE(
            ErrorKind.CONFLICT,
            "The run must not be cleaned up after yet.",
            "GET /v1/cleanup/candidates lists those that may be."),
    REQUEST_INVALID(
            ErrorKind.INVALID,
            "A request has a field that cannot be used.",
            "Correct the named fields; /openapi.json describes every request."),
    PAYLOAD_TOO_LARGE(
            ErrorKind.INVALID, "The body of a request is too large.", "Send less in one call."),
    ROUTE_NOT_FOUND(
            ErrorKind.NOT_FOUND,
            "The API has no such path.",
            "GET /openapi.json lists every path."),
    METHOD_NOT_ALLOWED(
            ErrorKind.INVALID,
            "The path of the API does not take this method.",
            "GET /openapi.json lists the methods of every path."),
    UNAUTHENTICATED(
            ErrorKind.INVALID,
            "The call carries no token.",
            "Send Authorization: Bearer TOKEN; weir token create makes one."),
    FORBIDDEN(
            ErrorKind.INVALID,
            "The token is unknown, expired, or may not do this.",
            "Use a token whose role has the scope that the message names."),
    RECEIVER_NOT_ALLOWED(
            ErrorKind.INVALID,
            "The address of a receiver must not be called.",
            "Name an http or https address and allow its host."),
    SERVER_INSECURE(
            ErrorKind.INVALID,
            "The server would be reachable without TLS.",
            "Keep the address 127.0.0.1, or name a certificate and its key."),
    LEDGER_UNREACHABLE(
            ErrorKind.TRANSIENT,
            "The ledger database does not answer.",
            "Check the ledger URL and its server, then run again."),
    LEDGER_INVALID(
            ErrorKind.INVALID,
            "The ledger database cannot be used.",
            "Use PostgreSQL 13 or newer and a user that may create schemas."),
    LEDGER_INVARIANT(
            ErrorKind.BUG,
            "The ledger would have broken one of its own rules.",
            "Report this with the message; the data is kept."),
    EMBEDDED_SERVER_FAILED(
            ErrorKind.TERMINAL,
            "The embedded PostgreSQL cannot be started.",
            "Read its log in .weir/pg/server.log, or name a PostgreSQL server with ledger:."),
    INTERRUPTED(
            ErrorKind.TRANSIENT,
            "The command was asked to stop.",
            "Run again; the ledger closes the interrupted run."),
    INTERNAL(ErrorKind.BUG, "A fault of Weir itself.", "Report this with the stack trace.");

    private final ErrorKind kind;
    private final String meaning;
    private final String hint;

    ErrorCode(ErrorKind kind, String meaning, String hint) {
        this.kind = kind;
        this.meaning = meaning;
        this.hint = hint;
    }

    public ErrorKind kind() {
        return kind;
    }

    /** One sentence: what the code says about the world. */
    public String meaning() {
        return meaning;
    }

    /** What to do where the thrower knows nothing better. */
    public String hint() {
        return hint;
    }
}
