package io.weir.ledger.outside;

import io.weir.core.error.WeirException;
import io.weir.ledger.books.Bundles;
import io.weir.ledger.outside.OutsideReplies.Claimed;
import io.weir.ledger.outside.OutsideReplies.Reported;
import io.weir.ledger.partition.PartitionKey;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Calls of several callers in one statement. */
final class UsualCalls {
    private UsualCalls() {}

    static Bundles<OutsideTransactions.Report, Reported> reports(OutsideTransactions to) {
        return Bundles.ofOneFate(
                calls -> carry(
                        calls,
                        OutsideTransactions.Report::key,
                        some -> to.report(some.get(0).action(), some)),
                call -> call.chunks().size());
    }

    static Bundles<OutsideTransactions.Claim, Claimed> claims(OutsideTransactions to) {
        return Bundles.ofOneFate(
                calls -> carry(
                        calls,
                        OutsideTransactions.Claim::key,
                        some -> to.claim(some.get(0).action(), some)),
                call -> 1);
    }

    /**
     * Sends calls, those of one partition one after the other.
     *
     * @param send answers calls of different partitions, in order
     * @return one answer for each call; empty if it has to be carried out alone
     */
    private static <C, A> List<Optional<A>> carry(
            List<C> calls,
            Function<C, PartitionKey> key,
            Function<List<C>, List<Optional<A>>> send) {
        List<Optional<A>> answers =
                new ArrayList<>(Collections.nCopies(calls.size(), Optional.empty()));
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            left.add(i);
        }
        while (!left.isEmpty()) {
            Map<PartitionKey, Integer> first = new LinkedHashMap<>();
            left.forEach(place -> first.putIfAbsent(key.apply(calls.get(place)), place));
            List<Integer> places = List.copyOf(first.values());
            try {
                List<Optional<A>> some =
                        send.apply(places.stream().map(calls::get).toList());
                for (int i = 0; i < places.size(); i++) {
                    answers.set(places.get(i), some.get(i));
                }
            } catch (WeirException e) {
                if (left.size() == calls.size()) {
                    throw e;
                }
                // What was sent before has its answers.
                return answers;
            }
            left.removeAll(places);
        }
        return answers;
    }
}
