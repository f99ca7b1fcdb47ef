package io.weir.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.RunState;

import java.util.ArrayList;
import java.util.List;

/** A finding as the lines that a person reads, and nothing else. */
final class Lines {
    private Lines() {}

    static void assertLines(Finding finding, String... expected) {
        assertThat(of(finding)).containsExactly(expected);
    }

    static List<String> of(Finding finding) {
        Explanation alone =
                new Explanation(Scene.RUN, RunState.CREATED, Scene.NOW, List.of(finding));
        List<String> lines = new ArrayList<>(ExplanationText.of(alone));
        lines.remove(0);
        return lines.stream().map(String::strip).toList();
    }
}
