package io.weir.table;

import static io.weir.table.LakeFixture.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;

import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/** Commits of streaming clients, and what is left on disk of those that the catalog refused. */
class IngestCommitTest {
    @TempDir
    Path warehouse;

    private LakeFixture lake;
    private LakeTable table;
    private CatalogProxy proxy;
    private LakeCatalog proxied;
    private IngestTable remote;

    @BeforeEach
    void open() throws IOException {
        lake = new LakeFixture(warehouse);
        table = lake.prepare();
        proxy = new CatalogProxy("127.0.0.1", lake.database().port());
        proxied = LakeCatalog.open(lake.config(proxy.port(), warehouse), new GroupedFileIO());
        remote = proxied.ingest(LakeFixture.TARGET);
    }

    @AfterEach
    void close() throws IOException {
        proxied.close();
        proxy.close();
        lake.close();
    }

    private IngestTransaction transaction(Balance delta) {
        String path = table.dataRoot() + "/ingest/" + UUID.randomUUID() + ".parquet";
        return new IngestTransaction(
                "test",
                null,
                remote.look().schema(),
                PartitionBy.NOTHING,
                List.of(StagedFile.of(path, delta.rows(), LakeFixture.write(path))),
                delta);
    }

    private IngestOutcome.Kind append(Balance delta) {
        return remote.append(List.of(transaction(delta))).get(0).kind();
    }

    /** Manifests and their lists on disk. */
    private Set<String> metadataOnDisk() throws IOException {
        try (Stream<Path> files = Files.walk(warehouse)) {
            return new TreeSet<>(files.filter(path -> path.toString().endsWith(".avro"))
                    .map(LocalFileIO::locationOf)
                    .toList());
        }
    }

    /** Manifests and their lists that a snapshot names. */
    private Set<String> metadataNamed() {
        Set<String> named = new TreeSet<>();
        Table look = lake.foreignTable();
        for (Snapshot snapshot : look.snapshots()) {
            named.add(snapshot.manifestListLocation());
            snapshot.allManifests(look.io()).forEach(manifest -> named.add(manifest.path()));
        }
        return named;
    }

    private long metadataFiles() throws IOException {
        try (Stream<Path> files = Files.walk(warehouse)) {
            return files.filter(path -> path.toString().endsWith(".metadata.json"))
                    .count();
        }
    }

    @Test
    void aRefusedCommitIsMadeAnewAndLeavesNoFile() throws IOException {
        append(balance(3, 30));
        long before = metadataFiles();
        proxy.beforeNextCommit(() ->
                lake.foreignTable().updateProperties().set("owner", "somebody").commit());

        assertThat(append(balance(2, 20))).isEqualTo(IngestOutcome.Kind.COMMITTED);

        assertThat(proxy.commits()).isEqualTo(3);
        assertThat(table.balance()).isEqualTo(balance(5, 50));
        assertThat(lake.foreignTable().properties()).containsEntry("owner", "somebody");
        assertThat(metadataOnDisk()).isEqualTo(metadataNamed());
        assertThat(metadataFiles()).isEqualTo(before + 2);
    }

    @Test
    void aLostReplyCountsOnceAndKeepsItsFiles() throws IOException {
        append(balance(3, 30));
        proxy.loseNextReply();

        assertThat(append(balance(2, 20))).isEqualTo(IngestOutcome.Kind.COMMITTED);

        assertThat(table.balance()).isEqualTo(balance(5, 50));
        assertThat(metadataOnDisk()).isEqualTo(metadataNamed());
        assertThat(lake.foreignTable().currentSnapshot().summary())
                .containsEntry("total-data-files", "2");
    }

    @Test
    void aTransactionThatIsCommittedTwiceAfterALostReplyIsInOneSnapshot() {
        IngestTransaction transaction = transaction(balance(2, 20));
        proxy.loseNextReply();
        IngestOutcome first = remote.append(List.of(transaction)).get(0);

        assertThat(first.kind()).isEqualTo(IngestOutcome.Kind.COMMITTED);
        assertThat(first.snapshotId())
                .isEqualTo(lake.foreignTable().currentSnapshot().snapshotId());
        assertThat(table.balance()).isEqualTo(balance(2, 20));
    }

    @Test
    void ownCommitsAndOthersAreSeenAtOnce() {
        for (int i = 1; i <= 120; i++) {
            append(balance(1, 1));
        }
        assertThat(remote.look().properties())
                .containsEntry("weir.balance.rows", "120")
                .doesNotContainKey("owner");

        lake.foreignTable().updateProperties().set("owner", "somebody").commit();

        assertThat(remote.look().properties()).containsEntry("owner", "somebody");
        assertThat(remote.claim("s")).isEqualTo(1);
        assertThat(lake.foreignTable().properties()).containsEntry("weir.ingest.source.s", "1:-");
    }

    @Test
    void manifestsAreMergedNowAndThen() {
        List<Integer> manifests = new ArrayList<>();
        for (int i = 1; i <= 110; i++) {
            append(balance(1, 1));
            Table look = lake.foreignTable();
            manifests.add(look.currentSnapshot().allManifests(look.io()).size());
        }

        assertThat(manifests.get(97)).isEqualTo(98);
        assertThat(manifests).allMatch(count -> count <= 100);
        assertThat(manifests.get(109)).isLessThan(20);
        assertThat(table.balance()).isEqualTo(balance(110, 110));
        assertThat(lake.foreignTable().currentSnapshot().summary())
                .containsAllEntriesOf(Map.of("total-data-files", "110", "total-records", "110"));
        assertThat(lake.foreignTable().currentSnapshot().operation())
                .isEqualTo(DataOperations.APPEND);
    }

    @Test
    void aRewriteOfFilesThatAreGoneLeavesNoFile() throws IOException {
        IngestTransaction transaction = transaction(balance(2, 20));
        remote.append(List.of(transaction));
        lake.compactForeign(2);
        StagedFile made = transaction(balance(2, 20)).files().get(0);

        Long snapshotId =
                remote.rewrite(transaction.files(), List.of(made), balance(2, 20), balance(2, 20));

        assertThat(snapshotId).isNull();
        assertThat(metadataOnDisk()).isEqualTo(metadataNamed());
    }
}
