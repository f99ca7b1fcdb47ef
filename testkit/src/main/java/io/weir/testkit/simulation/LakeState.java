package io.weir.testkit.simulation;

import io.weir.core.publish.PublishAttempt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The metadata of a table; a commit replaces it as a whole.
 *
 * @param version grows with every commit, of properties as well
 * @param fence attempts up to this epoch cannot be published any more
 * @param published the property that names the last publish: run, epoch and token
 */
record LakeState(
        long version,
        long main,
        Map<String, Long> branches,
        Map<Long, LakeSnapshot> snapshots,
        long fence,
        long publishedEpoch,
        String published) {
    static LakeState first() {
        LakeSnapshot empty = new LakeSnapshot(1, null, List.of(), null, 0);
        return new LakeState(1, 1, Map.of(), Map.of(1L, empty), 0, 0, "");
    }

    LakeSnapshot mainSnapshot() {
        return snapshot(main);
    }

    LakeSnapshot snapshot(long id) {
        return Optional.ofNullable(snapshots.get(id)).orElseThrow();
    }

    /** From a snapshot back to the first. */
    List<LakeSnapshot> ancestry(long id) {
        List<LakeSnapshot> chain = new ArrayList<>();
        Long next = id;
        while (next != null) {
            LakeSnapshot snapshot = snapshot(next);
            chain.add(snapshot);
            next = snapshot.parent();
        }
        return chain;
    }

    Optional<LakeSnapshot> branch(PublishAttempt attempt) {
        return Optional.ofNullable(branches.get(attempt.branch())).map(this::snapshot);
    }

    /** Published means ancestor of main, or the property. */
    Optional<Long> evidence(PublishAttempt attempt) {
        Optional<Long> ancestor = ancestry(main).stream()
                .filter(snapshot -> snapshot.isOf(attempt))
                .map(LakeSnapshot::id)
                .findFirst();
        return ancestor.isEmpty() && published.equals(property(attempt))
                ? Optional.of(main)
                : ancestor;
    }

    /** Why an attempt must not be published on this state; empty if it may. */
    Optional<String> refusal(PublishAttempt attempt) {
        if (fence >= attempt.epoch()) {
            return Optional.of("fenced by " + fence);
        }
        if (publishedEpoch >= attempt.epoch()) {
            return Optional.of("a later attempt is published: " + publishedEpoch);
        }
        if (main != attempt.baseSnapshotId()) {
            return Optional.of("main moved to " + main);
        }
        boolean staged = branch(attempt)
                .filter(snapshot -> attempt.stagedSnapshotId() != null
                        && snapshot.id() == attempt.stagedSnapshotId()
                        && snapshot.isOf(attempt))
                .isPresent();
        return staged ? Optional.empty() : Optional.of("the branch does not hold what was staged");
    }

    LakeState staged(PublishAttempt attempt, LakeSnapshot snapshot) {
        Map<String, Long> heads = new TreeMap<>(branches);
        heads.put(attempt.branch(), snapshot.id());
        return next(main, heads, with(snapshot), fence, publishedEpoch, published);
    }

    LakeState without(String branch) {
        Map<String, Long> heads = new TreeMap<>(branches);
        heads.remove(branch);
        return next(main, heads, snapshots, fence, publishedEpoch, published);
    }

    LakeState fastForward(PublishAttempt attempt, long staged) {
        LakeState without = without(attempt.branch());
        return next(staged, without.branches, snapshots, fence, attempt.epoch(), property(attempt));
    }

    LakeState fenced(PublishAttempt attempt, long id) {
        LakeSnapshot empty =
                new LakeSnapshot(id, main, mainSnapshot().files(), null, attempt.epoch());
        return next(id, branches, with(empty), attempt.epoch(), publishedEpoch, published);
    }

    /** The rows of an attempt once more on top of main: what nobody may do. */
    LakeState forced(PublishAttempt attempt, long id, List<String> files) {
        LakeSnapshot again = new LakeSnapshot(id, main, files, attempt.runId(), attempt.epoch());
        return next(id, branches, with(again), fence, attempt.epoch(), property(attempt));
    }

    /** Somebody sets a property that has nothing to do with us. */
    LakeState touched() {
        return next(main, branches, snapshots, fence, publishedEpoch, published);
    }

    private LakeState next(
            long head,
            Map<String, Long> heads,
            Map<Long, LakeSnapshot> all,
            long fenceEpoch,
            long lastEpoch,
            String last) {
        return new LakeState(version + 1, head, heads, all, fenceEpoch, lastEpoch, last);
    }

    private Map<Long, LakeSnapshot> with(LakeSnapshot snapshot) {
        Map<Long, LakeSnapshot> all = new TreeMap<>(snapshots);
        all.put(snapshot.id(), snapshot);
        return all;
    }

    private static String property(PublishAttempt attempt) {
        return attempt.runId() + ":" + attempt.epoch() + ":" + attempt.token();
    }
}
