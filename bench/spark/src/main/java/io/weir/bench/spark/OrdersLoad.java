package io.weir.bench.spark;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Replaces an Iceberg table by what the source has. */
final class OrdersLoad {
    static final String CATALOG = "lake";

    /** What Weir's {@code verify: metrics} asks of these columns; both sides understand it. */
    private static final String METRICS = """
            select count(*),
                count(*) - count(id), min(id), max(id), sum(id),
                count(*) - count(customer_code), sum(octet_length(customer_code)),
                count(*) - count(order_ref), sum(octet_length(order_ref)),
                count(*) - count(status_text), sum(octet_length(status_text)),
                count(*) - count(amount), min(amount), max(amount), sum(amount),
                count(*) - count(created_at), min(created_at), max(created_at),
                count(*) - count(quantity), min(quantity), max(quantity), sum(quantity),
                count(*) - count(order_date), min(order_date), max(order_date)
            from\s""";

    private static final String DUPLICATES =
            "select count(*) from (select id from %s group by id having count(*) > 1)";

    private final SparkSession session;
    private final OrdersSource source;
    private final int partitions;

    OrdersLoad(SparkSession session, OrdersSource source, int partitions) {
        this.session = session;
        this.source = source;
        this.partitions = partitions;
    }

    void plain(String table) throws Exception {
        source.read(session, table, partitions)
                .writeTo(target(table))
                .using("iceberg")
                .tableProperty("write.parquet.compression-codec", "zstd")
                .tableProperty("write.distribution-mode", "none")
                .createOrReplace();
    }

    /** As {@link #plain}, then compares source and target and looks for duplicate keys. */
    void checked(String table) throws Exception {
        plain(table);
        List<String> expected = source.query(METRICS + "public." + table);
        List<String> actual = query(METRICS + target(table));
        if (!actual.equals(expected)) {
            throw new IllegalStateException(
                    "Cannot trust " + table + ": " + actual + " instead of " + expected);
        }
        List<String> duplicates = query(DUPLICATES.formatted(target(table)));
        if (!duplicates.equals(List.of("0"))) {
            throw new IllegalStateException("Cannot trust " + table + ": duplicate keys");
        }
    }

    private static String target(String table) {
        return CATALOG + ".bench." + table;
    }

    private List<String> query(String sql) {
        Dataset<Row> answer = session.sql(sql);
        Column[] texts = Stream.of(answer.columns())
                .map(name -> answer.col("`" + name + "`").cast("string"))
                .toArray(Column[]::new);
        Row row = answer.select(texts).first();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            values.add(String.valueOf(row.get(i)));
        }
        return values;
    }
}
