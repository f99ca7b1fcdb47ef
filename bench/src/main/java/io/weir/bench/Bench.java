package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.function.Consumer;

/** One benchmark: prepares what it needs, measures its sides in turns, removes everything. */
interface Bench extends AutoCloseable {
    /**
     * Medians of several rounds; in each round the sides take turns.
     *
     * @param progress takes a line for a person now and then
     * @return {@code bench}, {@code ratios} of what was measured side by side, {@code figures} that
     *     hold for this machine only
     */
    ObjectNode run(Consumer<String> progress) throws Exception;

    @Override
    void close();
}
