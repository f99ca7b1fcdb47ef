package io.weir.capture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeOp;
import io.weir.capture.ChangeStream;
import io.weir.capture.ImageDigest;
import io.weir.capture.RowImage;
import io.weir.capture.StreamEvent;
import io.weir.core.row.Balance;
import io.weir.core.row.BalanceSum;
import io.weir.core.row.RowSchema;
import io.weir.source.PartitionRows;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.Sources;
import io.weir.source.SplitOptions;
import io.weir.source.TableSpec;
import io.weir.testkit.postgresql.TestDatabase;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Reads every edge value both ways and compares; also a program of its own. */
final class ParityCheck {
    private static final long CHUNK_BYTES = 1 << 20;

    private final Tap tap;
    private final CaptureSpec spec;
    private final Map<String, Sums> sums = new LinkedHashMap<>();

    ParityCheck(Tap tap) {
        this.tap = tap;
        this.spec = tap.spec(EdgeValues.tables());
    }

    private static final class Sums {
        final BalanceSum inserted = new BalanceSum();
        final BalanceSum before = new BalanceSum();
        final BalanceSum after = new BalanceSum();
    }

    /** Host, port, name, user and password of the database, and the slot. */
    public static void main(String[] args) throws IOException {
        TestDatabase database =
                new TestDatabase(args[0], Integer.parseInt(args[1]), args[2], args[3], args[4]);
        new ParityCheck(new Tap(database, args[5])).run();
    }

    void run() throws IOException {
        readEvents();
        Map<String, Balance> rows = rows();
        for (EdgeValues.Case one : EdgeValues.CASES) {
            Sums found = Objects.requireNonNull(sums.get(one.table()), one.table());
            Balance read = Objects.requireNonNull(rows.get(one.table()), one.table());
            assertThat(read.rows()).as(one.table()).isEqualTo(one.literals().size() + 1);
            assertThat(found.inserted.balance()).as(one.table() + " insert").isEqualTo(read);
            assertThat(found.before.balance()).as(one.table() + " before").isEqualTo(read);
            assertThat(found.after.balance()).as(one.table() + " after").isEqualTo(read);
        }
    }

    private void readEvents() {
        Map<String, RowSchema> schemas = tap.schemas(spec);
        Map<String, ImageDigest> digests = new LinkedHashMap<>();
        schemas.forEach((table, schema) -> digests.put(table, new ImageDigest(schema)));
        try (ChangeStream stream = tap.capture().open(spec, schemas)) {
            // Inserts in one transaction, updates in another one.
            for (int i = 0; i < 2; i++) {
                for (StreamEvent.Change change : Tap.transaction(stream).changes()) {
                    add(change, Objects.requireNonNull(digests.get(change.table())));
                }
            }
        }
    }

    private void add(StreamEvent.Change change, ImageDigest digest) {
        Sums sum = sums.computeIfAbsent(change.table(), name -> new Sums());
        boolean insert = change.op() == ChangeOp.INSERT;
        add(insert ? sum.inserted : sum.after, digest, change.after());
        if (!insert) {
            add(sum.before, digest, change.before());
        }
    }

    private static void add(BalanceSum sum, ImageDigest digest, @Nullable RowImage image) {
        UUID found = Objects.requireNonNull(digest.of(Objects.requireNonNull(image)));
        sum.add(found.getMostSignificantBits(), found.getLeastSignificantBits());
    }

    private Map<String, Balance> rows() throws IOException {
        Map<String, Balance> balances = new LinkedHashMap<>();
        try (Source source = Sources.open(tap.config());
                SourceSnapshot snapshot = source.openSnapshot(spec.tables(), 1)) {
            for (TableSpec table : spec.tables()) {
                balances.put(table.table(), balance(snapshot, table));
            }
        }
        return balances;
    }

    private static Balance balance(SourceSnapshot snapshot, TableSpec table) throws IOException {
        Balance sum = Balance.ZERO;
        RowSchema schema = snapshot.table(table).schema();
        for (var range : snapshot.split(table, SplitOptions.DEFAULTS)) {
            try (PartitionRows rows = snapshot.reader(0).read(table.table(), schema, range)) {
                while (!rows.exhausted()) {
                    try (ArrowReader chunk = rows.nextChunk(CHUNK_BYTES)) {
                        while (chunk.loadNextBatch()) {
                            assertThat(chunk.getVectorSchemaRoot().getRowCount())
                                    .isPositive();
                        }
                    }
                    sum = sum.plus(rows.totals().balance());
                }
            }
        }
        return sum;
    }
}
