package io.weir.ledger.database;

/** Parts of statements that lock partitions as {@code locked}: what they read besides. */
final class Besides {
    /** Read outside of the select that locks, so that it is later than the lock. */
    static final String CLOCK = """
            clock_timestamp() as locked_at,
                cast(pg_current_xact_id_if_assigned() as text) as transaction_id""";

    /** What a call has to know; single rows, so that no plan reads a whole table. */
    static final String COLUMNS = CLOCK + """
            ,
                (select data_path from weir.run where run.id = locked.run_id) as data_path,
                held.*""";

    static final String HOLDER = """
            left join lateral (
                select id as holder, snapshot_kind, snapshot_text, worker as holder_worker,
                    lease_until as holder_until
                from weir.snapshot_holder as h
                where h.run_id = locked.run_id
                order by h.lease_until desc, h.id
                limit 1) as held on true
            """;

    private Besides() {}
}
