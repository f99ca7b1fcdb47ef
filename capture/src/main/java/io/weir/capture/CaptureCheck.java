package io.weir.capture;

import io.weir.core.row.RowSchema;
import io.weir.source.Refusal;

import java.util.List;
import java.util.Map;

/**
 * What a look at the source found.
 *
 * @param refusals every reason against reading the changes
 * @param known by qualified name, the columns that rows come from as the source tells them now;
 *     meant to be compared with the next time, if there is no refusal
 */
public record CaptureCheck(List<Refusal> refusals, Map<String, RowSchema> known) {
    public CaptureCheck {
        refusals = List.copyOf(refusals);
        known = Map.copyOf(known);
    }
}
