package io.weir.ingest;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.StreamLedger;
import io.weir.ingest.record.RecordWriter;
import io.weir.table.CatalogConfig;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes connections. */
public final class WeirStreamingConnection {
    private WeirStreamingConnection() {}

    public static Builder newBuilder() {
        return new Builder();
    }

    /**
     * Settings of connections; {@link #connect} may be called any number of times, each gives a
     * connection of its own.
     */
    public static final class Builder {
        private static final long MEMORY_BYTES = 64L << 20;
        private static final long MEMORY_BYTES_MIN = 1L << 16;

        /** The rows of one partition are one array, which doubles once more when it is full. */
        private static final long MEMORY_BYTES_MAX = 1L << 29;

        private static final Duration LEASE_MIN = Duration.ofSeconds(1);

        private @Nullable String database;
        private @Nullable String table;
        private List<@Nullable String> staticPartitions = List.of();
        private @Nullable String agent;
        private @Nullable String source;
        private int batchSize = 1;
        private Duration batchTimeout = Duration.ZERO;
        private @Nullable RecordWriter writer;
        private @Nullable CatalogConfig catalog;
        private RecordPolicy policy = RecordPolicy.reject();
        private AutoCommit autoCommit = AutoCommit.OFF;
        private long memory = MEMORY_BYTES;
        private @Nullable StreamLedger ledger;
        private Duration leaseTimeout = Duration.ofMinutes(5);
        private Timer timer = Timer.ofProcess();

        private Builder() {}

        public Builder withDatabase(String name) {
            this.database = name;
            return this;
        }

        public Builder withTable(String name) {
            this.table = name;
            return this;
        }

        /** Values of the partition columns of all rows; without them each record has its own. */
        public Builder withStaticPartitionValues(@Nullable List<@Nullable String> values) {
            // Lists of the JDK that refuse null are no reason to refuse the partition of NULL.
            this.staticPartitions = values == null ? List.of() : new ArrayList<>(values);
            return this;
        }

        /** Who writes, in words; kept with every commit. User and thread by default. */
        public Builder withAgentInfo(String text) {
            this.agent = text;
            return this;
        }

        /**
         * The name of what the records come from, stable over restarts. Transactions are numbered
         * within it and committed once. The newest connection of a source shuts out older ones.
         */
        public Builder withSource(String name) {
            this.source = name;
            return this;
        }

        /** Transactions whose small files are put together; 1 by default. */
        public Builder withTransactionBatchSize(int transactions) {
            this.batchSize = transactions;
            return this;
        }

        /** Puts small files of a batch together after a time at most; never by default. */
        public Builder withBatchTimeout(Duration time) {
            this.batchTimeout = time;
            return this;
        }

        public Builder withRecordWriter(RecordWriter format) {
            this.writer = format;
            return this;
        }

        /** What happens to bad records; {@link RecordPolicy#reject} by default. */
        public Builder withRecordPolicy(RecordPolicy rule) {
            this.policy = rule;
            return this;
        }

        public Builder withAutoCommit(AutoCommit rule) {
            this.autoCommit = rule;
            return this;
        }

        /** Heap for rows that are not in a file yet: 64 MB by default, 64 KB to 512 MB. */
        public Builder withMemoryLimit(long bytes) {
            this.memory = bytes;
            return this;
        }

        /**
         * The catalog in Iceberg's words.
         *
         * @param properties {@code uri} (jdbc:postgresql://…), {@code jdbc.user}, {@code
         *     jdbc.password}, {@code warehouse} (file:///…) and {@code name}, {@code weir} by
         *     default
         * @throws IllegalArgumentException naming what is missing or cannot be used
         */
        public Builder withCatalog(Map<String, String> properties) {
            try {
                return withCatalog(new CatalogConfig(
                        properties.getOrDefault("name", "weir"),
                        needed(properties, "uri"),
                        needed(properties, "jdbc.user"),
                        properties.get("jdbc.password"),
                        needed(properties, "warehouse")));
            } catch (WeirException e) {
                throw new IllegalArgumentException(e.text(), e);
            }
        }

        private static String needed(Map<String, String> properties, String key) {
            String value = properties.get(key);
            if (value == null) {
                throw new IllegalArgumentException(
                        "Cannot use the catalog: property " + key + " is missing");
            }
            return value;
        }

        public Builder withCatalog(CatalogConfig config) {
            this.catalog = config;
            return this;
        }

        /**
         * Signs open transactions in a ledger, where others see them and may abort them; without
         * one nobody does.
         *
         * @param books safe for use by several threads, such as {@code HttpLedger}
         */
        public Builder withLedger(StreamLedger books) {
            this.ledger = books;
            return this;
        }

        /**
         * How long a transaction lives in the ledger without a sign, five minutes by default; signs
         * are given by themselves, twice as often.
         */
        public Builder withLeaseTimeout(Duration time) {
            this.leaseTimeout = time;
            return this;
        }

        Builder withTimer(Timer other) {
            this.timer = other;
            return this;
        }

        /**
         * Connects.
         *
         * @throws ConnectionError if a setting is missing or wrong, or nobody answers
         * @throws InvalidTable if there is no such table, or it takes no rows from Weir
         */
        public StreamingConnection connect() throws StreamingException {
            ConnectionSettings settings = new ConnectionSettings(
                    given(catalog, "catalog"),
                    given(database, "database"),
                    given(table, "table"),
                    new ArrayList<>(staticPartitions),
                    agent == null ? defaultAgent() : agent,
                    source,
                    batchSize,
                    batchTimeout,
                    given(writer, "record writer"),
                    policy,
                    autoCommit,
                    memory,
                    ledger,
                    leaseTimeout,
                    timer);
            check(settings);
            return OpenConnection.open(settings);
        }

        private static void check(ConnectionSettings settings) throws ConnectionError {
            if (settings.batchSize() < 1) {
                throw invalid("the transaction batch size is not positive (transactions="
                        + settings.batchSize() + ")");
            }
            if (settings.batchTimeout().isNegative()) {
                throw invalid("the batch timeout is negative");
            }
            if (settings.leaseTimeout().compareTo(LEASE_MIN) < 0) {
                throw invalid("the lease timeout is too short (timeout=" + settings.leaseTimeout()
                        + ", least=" + LEASE_MIN + ")");
            }
            if (settings.memory() < MEMORY_BYTES_MIN || settings.memory() > MEMORY_BYTES_MAX) {
                throw invalid("the memory limit is too small or too large (bytes="
                        + settings.memory() + ", least=" + MEMORY_BYTES_MIN + ", most="
                        + MEMORY_BYTES_MAX + ")");
            }
            String name = settings.source();
            if (name != null && name.isBlank()) {
                throw invalid("the name of the source is empty");
            }
        }

        private static String defaultAgent() {
            return System.getProperty("user.name") + ":"
                    + Thread.currentThread().getName();
        }

        private static <T> T given(@Nullable T value, String what) throws ConnectionError {
            if (value == null) {
                throw invalid(what + " cannot be null for streaming connection");
            }
            return value;
        }

        private static ConnectionError invalid(String reason) {
            return new ConnectionError(ErrorCode.CONFIG_INVALID, "Cannot connect: " + reason, null);
        }
    }
}
