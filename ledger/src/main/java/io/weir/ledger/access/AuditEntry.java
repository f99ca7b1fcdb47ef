package io.weir.ledger.access;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * One entry of the journal of the API.
 *
 * @param subject such as {@code run/<id>} or {@code token/<id>}; its entries are one chain
 * @param number in the chain, from 1
 * @param details a JSON object
 * @param hash over everything else, the hash of the entry before among it
 */
public record AuditEntry(
        String subject,
        long number,
        Instant at,
        String actor,
        String role,
        String action,
        @Nullable String reason,
        String requestId,
        String details,
        String hash) {}
