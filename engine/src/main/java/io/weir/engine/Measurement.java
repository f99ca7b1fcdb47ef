package io.weir.engine;

import io.weir.core.metric.Measure;
import io.weir.core.row.Balance;

import java.util.List;

/**
 * What a set of files holds.
 *
 * @param files one entry per file, in the order asked for
 * @param metrics the metrics of all files together, in the order asked for
 * @param balance the sum of the balances of the files
 */
public record Measurement(List<MeasuredFile> files, List<Measure> metrics, Balance balance) {
    public Measurement {
        files = List.copyOf(files);
        metrics = List.copyOf(metrics);
    }
}
