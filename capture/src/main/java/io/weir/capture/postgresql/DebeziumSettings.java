package io.weir.capture.postgresql;

import io.weir.capture.CaptureSpec;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.source.SourceConfig;

import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;

/** Every setting of the engine in one place: nothing is left to its defaults that loses values. */
final class DebeziumSettings {
    /** Stands for an unchanged big value that was not sent. No text of the server holds U+0000. */
    static final String UNAVAILABLE = "\u0000weir: not sent\u0000";

    static final String TOPIC_PREFIX = "weir";

    /** Rows that wait in the engine; a bound in bytes besides the one in rows. */
    private static final long QUEUE_BYTES = 32L << 20;

    private static final String SPECIAL = "\\.[]{}()*+-?^$|#&";

    private final SourceConfig config;
    private final CaptureSpec spec;
    private final List<CapturedRelation> relations;

    DebeziumSettings(SourceConfig config, CaptureSpec spec, List<CapturedRelation> relations) {
        this.config = config;
        this.spec = spec;
        this.relations = relations;
    }

    Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("name", "weir-" + spec.slot());
        properties.setProperty(
                "connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        properties.setProperty("topic.prefix", TOPIC_PREFIX);
        connection(properties);
        stream(properties);
        values(properties);
        return properties;
    }

    private void connection(Properties properties) {
        @Nullable Properties parts = Driver.parseURL(config.url(), null);
        if (parts == null || parts.getProperty("PGHOST", "").contains(",")) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot capture source " + config.name()
                            + ": its URL does not name one server"
                            + " (form=jdbc:postgresql://host:port/database)");
        }
        properties.setProperty("database.hostname", parts.getProperty("PGHOST", "localhost"));
        properties.setProperty("database.port", parts.getProperty("PGPORT", "5432"));
        properties.setProperty("database.dbname", parts.getProperty("PGDBNAME", config.user()));
        properties.setProperty("database.user", config.user());
        String password = config.password();
        if (password != null) {
            properties.setProperty("database.password", password);
        }
        for (String name : parts.stringPropertyNames()) {
            if (!name.startsWith("PG")) {
                properties.setProperty("driver." + name, parts.getProperty(name));
            }
        }
    }

    private void stream(Properties properties) {
        properties.setProperty("plugin.name", "pgoutput");
        properties.setProperty("slot.name", spec.slot());
        properties.setProperty("slot.drop.on.stop", "false");
        properties.setProperty("slot.max.retries", "0");
        properties.setProperty("publication.name", spec.publication());
        properties.setProperty("publication.autocreate.mode", "disabled");
        properties.setProperty("snapshot.mode", "no_data");
        properties.setProperty(
                "table.include.list",
                relations.stream()
                        .map(relation ->
                                regex(relation.schemaName()) + "\\." + regex(relation.name()))
                        .collect(Collectors.joining(",")));
        String excluded = excluded();
        if (!excluded.isEmpty()) {
            properties.setProperty("column.exclude.list", excluded);
        }
        properties.setProperty("tombstones.on.delete", "false");
        properties.setProperty("skipped.operations", "none");
        properties.setProperty("provide.transaction.metadata", "true");
        properties.setProperty(
                "offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
        properties.setProperty("offset.flush.interval.ms", "0");
        properties.setProperty("lsn.flush.mode", "connector");
        properties.setProperty("errors.max.retries", "0");
        properties.setProperty("statistics.metrics.enabled", "false");
        properties.setProperty("extended.headers.enabled", "false");
        properties.setProperty("poll.interval.ms", "10");
        properties.setProperty("max.queue.size.in.bytes", Long.toString(QUEUE_BYTES));
    }

    private static void values(Properties properties) {
        properties.setProperty("event.converting.failure.handling.mode", "fail");
        properties.setProperty("event.processing.failure.handling.mode", "fail");
        properties.setProperty("include.unknown.datatypes", "true");
        properties.setProperty("unavailable.value.placeholder", UNAVAILABLE);
        // As text, NaN and infinity come out as any value and stop their table alone; precision
        // and scale then have to be told apart, so that another type is noticed.
        properties.setProperty("decimal.handling.mode", "string");
        properties.setProperty("datatype.propagate.source.type", ".*\\.numeric");
        properties.setProperty("time.precision.mode", "microseconds");
        properties.setProperty("interval.handling.mode", "string");
        properties.setProperty("binary.handling.mode", "bytes");
        properties.setProperty("hstore.handling.mode", "json");
        properties.setProperty("field.name.adjustment.mode", "none");
        properties.setProperty("schema.name.adjustment.mode", "none");
    }

    private String excluded() {
        List<String> found = new ArrayList<>();
        for (CapturedRelation relation : relations) {
            for (String column : relation.excluded()) {
                found.add(regex(relation.schemaName()) + "\\." + regex(relation.name()) + "\\."
                        + regex(column));
            }
        }
        return String.join(",", found);
    }

    /** The name alone; a comma would end the pattern. */
    private static String regex(String name) {
        StringBuilder found = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == ',' || Character.isWhitespace(c)) {
                found.append("\\u").append(String.format(Locale.ROOT, "%04x", (int) c));
            } else {
                if (SPECIAL.indexOf(c) >= 0) {
                    found.append('\\');
                }
                found.append(c);
            }
        }
        return found.toString();
    }
}
