package io.weir.ledger.database;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;
import io.weir.ledger.outside.Actor;

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Appends to the journal of the API; the database computes the hashes. */
final class PostgresAudit {
    /** Entries of one subject are written one after the other. */
    static final String LOCK = """
            select pg_advisory_xact_lock(hashtextextended(:subject, 7305436211981002))
            """;

    static final String APPEND = """
            insert into weir.audit (
                subject, number, at, actor, role, action, reason, request_id, details,
                previous_hash, hash)
            select entry.*, weir.audit_hash(
                entry.subject, entry.number, entry.at, entry.actor, entry.role, entry.action,
                entry.reason, entry.request_id, entry.details, entry.previous_hash)
            from (
                select cast(:subject as text) as subject, coalesce(newest.number, 0) + 1 as number,
                    clock_timestamp() as at, cast(:actor as text) as actor,
                    cast(:role as text) as role, cast(:action as text) as action,
                    cast(:reason as text) as reason, cast(:request_id as text) as request_id,
                    cast(:details as jsonb) as details,
                    coalesce(newest.hash, '') as previous_hash
                from (select 1) as one
                left join lateral (
                    select number, hash
                    from weir.audit
                    where subject = :subject
                    order by number desc
                    limit 1
                ) as newest on true
            ) as entry
            """;

    private PostgresAudit() {}

    static void append(
            Handle handle,
            String subject,
            Actor actor,
            String action,
            @Nullable String reason,
            JsonNode details) {
        handle.createQuery(LOCK).bind("subject", subject).mapToMap().list();
        handle.createUpdate(APPEND)
                .bind("subject", subject)
                .bind("actor", actor.name())
                .bind("role", actor.role())
                .bind("action", action)
                .bind("reason", reason)
                .bind("request_id", actor.requestId())
                .bind("details", Json.line(details))
                .execute();
    }
}
