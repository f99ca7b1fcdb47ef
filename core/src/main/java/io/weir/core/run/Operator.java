package io.weir.core.run;

/**
 * A person who changes a run.
 *
 * @param name who
 * @param reason why, for those who read the events later
 */
public record Operator(String name, String reason) {
    public Operator {
        if (name.isBlank() || reason.isBlank()) {
            throw new IllegalArgumentException("An operator has a name and a reason");
        }
    }
}
