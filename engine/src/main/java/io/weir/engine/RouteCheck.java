package io.weir.engine;

import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.route.RowRouter;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Routes the rows of a file anew, by the values in the file, and counts those out of place. */
final class RouteCheck {
    private final RowRouter router;
    private final ColumnScan[] scans;
    private final @Nullable Object[] values;
    private Route expected = Route.NONE;
    private long misplacedRows;

    RouteCheck(PartitionBy partitionBy, List<ColumnScan> all) {
        List<Column> columns = all.stream().map(ColumnScan::column).toList();
        this.router = new RowRouter(partitionBy, new RowSchema(columns, List.of()));
        this.scans = router.columns().stream()
                .map(column -> all.get(columns.indexOf(column)))
                .toArray(ColumnScan[]::new);
        this.values = new @Nullable Object[scans.length];
    }

    /** A slice begins, of a file whose rows should all have this route. */
    void expect(Route route) {
        expected = route;
        misplacedRows = 0;
        router.reset();
    }

    /** Looks at the batch that the scans hold. */
    void check(int rows) {
        for (int row = 0; row < rows; row++) {
            if (!route(row).equals(expected)) {
                misplacedRows++;
            }
        }
    }

    Route route(int row) {
        if (router.size() > RowRouter.ROUTES_MAX) {
            // A file of many routes must not fill the memory.
            router.reset();
        }
        for (int i = 0; i < scans.length; i++) {
            values[i] = scans[i].objectOrNull(row);
        }
        return router.route(router.number(values));
    }

    long misplacedRows() {
        return misplacedRows;
    }
}
