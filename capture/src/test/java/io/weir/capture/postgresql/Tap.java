package io.weir.capture.postgresql;

import io.weir.capture.Capture;
import io.weir.capture.CaptureSpec;
import io.weir.capture.Captures;
import io.weir.capture.ChangeStream;
import io.weir.capture.StreamEvent;
import io.weir.core.row.RowSchema;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.Sources;
import io.weir.source.TableSpec;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A database with a publication and a slot of its own, and what a test does with them. */
final class Tap implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final String PUBLICATION = "weir_pub";

    final TestDatabase database;
    final String slot;

    Tap() {
        this(TestPostgres.shared().createDatabase());
    }

    private Tap(TestDatabase database) {
        this(database, "slot_" + database.name());
    }

    /** Another slot of a database that is there. */
    Tap(TestDatabase database, String slot) {
        this.database = database;
        this.slot = slot;
    }

    /** Creates tables with full identity and publishes them. */
    void publish(String... tables) {
        for (String table : tables) {
            database.execute("alter table " + table + " replica identity full");
        }
        database.execute(
                "create publication " + PUBLICATION + " for table " + String.join(", ", tables));
    }

    SourceConfig config() {
        return new SourceConfig("shop", database.url(), database.user(), database.password());
    }

    Capture capture() {
        return Captures.of(config());
    }

    CaptureSpec spec(String... tables) {
        return spec(CaptureSpec.Identity.FULL, tables);
    }

    CaptureSpec spec(CaptureSpec.Identity identity, String... tables) {
        return new CaptureSpec(
                PUBLICATION,
                slot,
                Arrays.stream(tables).map(TableSpec::of).toList(),
                identity,
                CaptureSpec.SLOT_BYTES_MAX);
    }

    Map<String, RowSchema> schemas(CaptureSpec spec) {
        Map<String, RowSchema> schemas = new HashMap<>();
        try (Source source = Sources.open(config())) {
            for (TableSpec table : spec.tables()) {
                var found = source.inspect(table).tableOrThrow();
                schemas.put(found.qualifiedName(), found.schema());
            }
        }
        return schemas;
    }

    ChangeStream open(CaptureSpec spec) {
        return capture().open(spec, schemas(spec));
    }

    /** The next event, which must come. */
    static StreamEvent next(ChangeStream stream) {
        StreamEvent event = stream.next(PATIENCE);
        if (event == null) {
            throw new AssertionError("No event in " + PATIENCE);
        }
        return event;
    }

    /** One transaction as it came. */
    record Transaction(
            StreamEvent.Begin begin, List<StreamEvent.Change> changes, StreamEvent.Commit commit) {}

    static Transaction transaction(ChangeStream stream) {
        StreamEvent.Begin begin = (StreamEvent.Begin) next(stream);
        List<StreamEvent.Change> changes = new ArrayList<>();
        while (true) {
            StreamEvent event = next(stream);
            if (event instanceof StreamEvent.Change change) {
                changes.add(change);
            } else {
                return new Transaction(begin, changes, (StreamEvent.Commit) event);
            }
        }
    }

    /** How many bytes of the log come again, counted from a commit, once the server knows it. */
    String confirmedSince(StreamEvent.Commit commit) {
        String lag = "select greatest(0, '" + commit.position().text() + "'::pg_lsn"
                + " - confirmed_flush_lsn) from pg_replication_slots where slot_name = '" + slot
                + "'";
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!database.text(lag).equals("0") && Instant.now().isBefore(deadline)) {
            Thread.onSpinWait();
        }
        return database.text(lag);
    }

    @Override
    public void close() {
        database.execute("select pg_drop_replication_slot(slot_name) from pg_replication_slots"
                + " where slot_name = '" + slot + "' and not active");
    }
}
