package io.weir.client.wire;

import com.fasterxml.jackson.core.type.TypeReference;

import io.weir.client.wire.LedgerCalls.Done;
import io.weir.core.run.Operator;
import io.weir.core.run.StreamTransaction;

import java.util.List;

/** The calls about open transactions of streaming connections. */
public final class StreamCalls {
    public static final LedgerCall<Questions.OpenStream, StreamTransaction> OPEN = LedgerCall.of(
            "open-stream",
            "parts:work",
            "Says that a transaction of a streaming connection began.",
            Questions.OpenStream.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.openStream(asked.begun()));

    public static final LedgerCall<Questions.ProlongStream, StreamTransaction> PROLONG =
            LedgerCall.of(
                    "prolong-stream",
                    "parts:work",
                    "Prolongs the lease of an open transaction.",
                    Questions.ProlongStream.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) -> ledger.prolongStream(asked.id(), asked.records()));

    public static final LedgerCall<Questions.OfStream, StreamTransaction> COMMIT = LedgerCall.of(
            "commit-stream",
            "parts:work",
            "Says that an open transaction is about to be committed.",
            Questions.OfStream.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.commitStream(asked.id()));

    public static final LedgerCall<Questions.OfStream, Done> CLOSE = LedgerCall.of(
            "close-stream",
            "parts:work",
            "Forgets a transaction that its connection ended.",
            Questions.OfStream.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> {
                ledger.closeStream(asked.id());
                return new Done();
            });

    public static final LedgerCall<Questions.AbortStream, StreamTransaction> ABORT = LedgerCall.of(
            "abort-stream",
            "operator:act",
            "Aborts an open transaction because a person wants it.",
            Questions.AbortStream.class,
            new TypeReference<>() {},
            (ledger, asked, caller) ->
                    ledger.abortStream(asked.id(), new Operator(caller, asked.reason())));

    public static final LedgerCall<Questions.Nothing, List<StreamTransaction>> ALL_OPEN =
            LedgerCall.of(
                    "streams",
                    "runs:read",
                    "Lists open transactions of streaming connections.",
                    Questions.Nothing.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) -> ledger.streams());

    private StreamCalls() {}
}
