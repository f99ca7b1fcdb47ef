package io.weir.core.run;

import java.util.UUID;

/**
 * Tables of one job that are loaded at one snapshot, each as a run of its own. None is published
 * before all are audited, and no run of the cut succeeds before all are published.
 *
 * @param id common to the runs of the cut
 * @param tables how many runs it has
 */
public record Cut(UUID id, int tables) {
    public Cut {
        if (tables < 1) {
            throw new IllegalArgumentException("A cut has tables, not " + tables);
        }
    }
}
