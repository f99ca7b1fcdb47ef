package io.weir.table;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.RowSchema;

import java.util.Map;
import java.util.OptionalLong;

/**
 * What a streaming client needs to know of a table, as of one look.
 *
 * @param schemaId changes with every change of the columns
 * @param schema in the order of the table
 * @param dataRoot location of the directory below which data files live; no slash at its end
 * @param properties of the table
 */
public record IngestLook(
        int schemaId,
        RowSchema schema,
        PartitionBy partitionBy,
        String dataRoot,
        Map<String, String> properties) {
    public IngestLook {
        properties = Map.copyOf(properties);
    }

    /** The highest committed sequence of a source. */
    public OptionalLong lastCommitted(String source) {
        return IngestMark.Memory.parse(properties.get(IngestSummary.sourceKey(source)))
                .sequence();
    }
}
