package io.weir.bench.hive;

import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.txn.TxnDbUtil;
import org.apache.hadoop.hive.ql.io.orc.OrcFile;
import org.apache.hadoop.hive.ql.io.orc.OrcInputFormat;
import org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat;
import org.apache.hadoop.hive.ql.io.orc.OrcSerde;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A metastore in this process and its warehouse. */
final class HiveHouse {
    static final String DATABASE = "testing";

    final HiveConf conf;
    private final Path directory;
    private final HiveMetaStoreClient client;

    HiveHouse(Path directory) throws Exception {
        this.directory = directory;
        this.conf = new HiveConf();
        conf.set("fs.defaultFS", "file:///");
        conf.set("fs.file.impl", ForkFreeFileSystem.class.getName());
        conf.set("fs.file.impl.disable.cache", "false");
        conf.set("hive.metastore.uris", "");
        conf.set("metastore.thrift.uris", "");
        conf.set("datanucleus.schema.autoCreateAll", "true");
        conf.set("hive.metastore.schema.verification", "false");
        conf.set("metastore.warehouse.dir", warehouse().toUri().toString());
        conf.set("hive.metastore.warehouse.dir", warehouse().toUri().toString());
        String url = "jdbc:derby:;databaseName=" + directory.resolve("metastore") + ";create=true";
        conf.set("javax.jdo.option.ConnectionURL", url);
        conf.set("hive.in.test", "true");
        TxnDbUtil.setConfValues(conf);
        TxnDbUtil.prepDb(conf);
        this.client = new HiveMetaStoreClient(conf);
        client.createDatabase(new Database(
                DATABASE, "", warehouse().resolve("testing.db").toUri().toString(), Map.of()));
    }

    private Path warehouse() {
        return directory.resolve("warehouse");
    }

    private static FieldSchema field(String name, String type) {
        return new FieldSchema(name, type, "");
    }

    /** Creates a transactional ORC table of an int and a text. */
    void create(String name, boolean partitioned) throws Exception {
        Table table = new Table();
        table.setDbName(DATABASE);
        table.setTableName(name);
        table.setTableType("MANAGED_TABLE");
        table.setOwner("bench");
        StorageDescriptor storage = new StorageDescriptor();
        storage.setCols(new ArrayList<>(List.of(field("id", "int"), field("msg", "string"))));
        storage.setLocation(location(name).toUri().toString());
        storage.setInputFormat(OrcInputFormat.class.getName());
        storage.setOutputFormat(OrcOutputFormat.class.getName());
        storage.setNumBuckets(-1);
        storage.setSerdeInfo(new SerDeInfo(name, OrcSerde.class.getName(), new HashMap<>()));
        storage.setBucketCols(new ArrayList<>());
        storage.setSortCols(new ArrayList<>());
        storage.setParameters(new HashMap<>());
        table.setSd(storage);
        table.setPartitionKeys(
                partitioned
                        ? new ArrayList<>(List.of(field("part", "string")))
                        : new ArrayList<>());
        table.setParameters(new HashMap<>(Map.of(
                "transactional", "true",
                "transactional_properties", "default",
                "bucketing_version", "2")));
        client.createTable(table);
    }

    private Path location(String name) {
        return warehouse().resolve("testing.db").resolve(name);
    }

    /** Rows of all files of a table, as their footers say. */
    long rows(String name) throws Exception {
        long rows = 0;
        try (Stream<Path> files = Files.walk(location(name))) {
            for (Path file : files.filter(
                            path -> path.getFileName().toString().startsWith("bucket_")
                                    && !path.toString().endsWith("_flush_length"))
                    .toList()) {
                rows += OrcFile.createReader(
                                new org.apache.hadoop.fs.Path(file.toUri()),
                                OrcFile.readerOptions(conf))
                        .getNumberOfRows();
            }
        }
        return rows;
    }
}
