package io.weir.flow.fsck;

import io.weir.ledger.fsck.Finding;

import java.util.ArrayList;
import java.util.List;

/** What was found in all tables so far, by kind. */
final class TableFindings {
    private final List<String> balance = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> differs = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();

    void balance(String table, String facts) {
        balance.add(row(table, facts));
    }

    void missing(String table, String facts) {
        missing.add(row(table, facts));
    }

    void differs(String table, String facts) {
        differs.add(row(table, facts));
    }

    void foreign(String table, String facts) {
        foreign.add(row(table, facts));
    }

    /** One for each kind, those without rows included. */
    List<Finding> all() {
        return List.of(
                new Finding(
                        "TABLE_BALANCE",
                        "A published table measures what it says of itself, and what its runs add"
                                + " up to.",
                        balance),
                new Finding(
                        "FILE_MISSING", "Every file that a published table lists exists.", missing),
                new Finding(
                        "FILE_DIFFERS",
                        "Every file of a published table measures what the ledger booked for it.",
                        differs),
                new Finding(
                        "FOREIGN_WRITE",
                        "A published table shows what Weir published to it and nothing else.",
                        foreign));
    }

    private static String row(String table, String facts) {
        return "table=" + table + " " + facts;
    }
}
