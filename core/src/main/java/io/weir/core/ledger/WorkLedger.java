package io.weir.core.ledger;

/** What a process that works needs of a ledger: the books, and the outbox that says what is due. */
public interface WorkLedger extends Ledger, Outbox, StreamLedger {}
