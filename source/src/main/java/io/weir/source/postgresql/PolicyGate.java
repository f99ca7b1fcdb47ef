package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.run.Bound;
import io.weir.core.run.Loss;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Stops values that the target cannot hold, or changes their wire bytes as the policy of the column
 * says, before digest and Arrow see them: both then speak of the value as stored.
 */
final class PolicyGate {
    private static final int NULL_LENGTH = -1;

    private final PartitionPlan plan;
    private final @Nullable WireGuard[] guards;
    private final int[] guarded;
    private final long[] losses;
    private byte[] buffer = {};

    PolicyGate(PartitionPlan plan) {
        this.plan = plan;
        this.guards = plan.guards();
        this.losses = new long[plan.size()];
        int[] found = new int[guards.length];
        int count = 0;
        for (int i = 0; i < guards.length; i++) {
            if (guards[i] != null) {
                found[count++] = i;
            }
        }
        this.guarded = Arrays.copyOf(found, count);
    }

    /**
     * Lets a row pass; may change the offsets and lengths of the row.
     *
     * @param rowNumber within the partition, from 1; names the row where there is no key
     * @return where the values are
     */
    byte[] pass(CopyTuples tuples, long rowNumber) {
        buffer = tuples.buffer();
        int[] offsets = tuples.offsets();
        int[] lengths = tuples.lengths();
        for (int i : guarded) {
            WireGuard guard = guards[i];
            if (lengths[i] >= 0 && guard != null && !guard.holds(buffer, offsets[i])) {
                apply(i, guard, offsets, lengths, rowNumber);
            }
        }
        return buffer;
    }

    private void apply(int field, WireGuard guard, int[] offsets, int[] lengths, long rowNumber) {
        Column column = plan.column(field);
        byte @Nullable [] nearest = guard.nearest(buffer, offsets[field]);
        if (column.policy() == LossPolicy.NULL && !column.required()) {
            lengths[field] = NULL_LENGTH;
        } else if (column.policy() == LossPolicy.CLAMP && nearest != null) {
            int end = buffer.length;
            buffer = Arrays.copyOf(buffer, end + nearest.length);
            System.arraycopy(nearest, 0, buffer, end, nearest.length);
            offsets[field] = end;
            lengths[field] = nearest.length;
        } else {
            throw refusal(field, offsets, lengths, rowNumber, nearest != null);
        }
        losses[field]++;
    }

    private WeirException refusal(
            int field, int[] offsets, int[] lengths, long rowNumber, boolean hasNearest) {
        Column column = plan.column(field);
        List<String> policies = new ArrayList<>();
        if (!column.required()) {
            policies.add("null");
        }
        if (hasNearest) {
            policies.add("clamp");
        }
        return new WeirException(
                ErrorCode.SOURCE_VALUE_UNREPRESENTABLE,
                "Cannot read table " + plan.table() + ": value " + text(field, offsets, lengths)
                        + " of column " + column.name() + " does not fit the target type ("
                        + identity(offsets, lengths, rowNumber) + ", source type="
                        + column.sourceType() + ", target type=" + column.type()
                        + ", possible policies="
                        + (policies.isEmpty() ? "none" : String.join(" or ", policies)) + ")");
    }

    private String text(int field, int[] offsets, int[] lengths) {
        return lengths[field] < 0
                ? "NULL"
                : WireText.of(plan.types().get(field), buffer, offsets[field], lengths[field]);
    }

    private String identity(int[] offsets, int[] lengths, long rowNumber) {
        List<String> key = plan.schema().key();
        if (key.isEmpty()) {
            return "row=" + rowNumber + ", range=" + bound(plan.range().lower()) + " to "
                    + bound(plan.range().upper());
        }
        List<String> parts = new ArrayList<>();
        for (String name : key) {
            int field = plan.schema().names().indexOf(name);
            parts.add(name + "=" + text(field, offsets, lengths));
        }
        return "key=[" + String.join(", ", parts) + "]";
    }

    private static String bound(@Nullable Bound bound) {
        return bound == null ? "open" : bound.kind() + " " + bound.text();
    }

    /** The losses since the last call. */
    List<Loss> takeLosses() {
        List<Loss> taken = new ArrayList<>();
        for (int i : guarded) {
            if (losses[i] > 0) {
                taken.add(new Loss(plan.column(i).name(), losses[i]));
                losses[i] = 0;
            }
        }
        return taken;
    }
}
