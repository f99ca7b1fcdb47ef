package io.weir.table;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The tables of the JDBC catalog, in version 1 of Iceberg's layout. Made here and not by Iceberg,
 * which is content with tables of the same name in any other schema of the database.
 */
final class CatalogSchema {
    private static final String EXISTS = """
            select to_regclass('weir_catalog.iceberg_tables') is not null
               and to_regclass('weir_catalog.iceberg_namespace_properties') is not null
            """;

    /** Two starters at once would otherwise fail on each other's names. */
    private static final String LOCK =
            "select pg_advisory_xact_lock(hashtext('weir_catalog'), hashtext('create'))";

    private static final String CREATE = """
            create schema if not exists weir_catalog;

            create table if not exists weir_catalog.iceberg_tables (
                catalog_name               varchar(255) not null,
                table_namespace            varchar(255) not null,
                table_name                 varchar(255) not null,
                metadata_location          text,
                previous_metadata_location text,
                iceberg_type               varchar(5),
                primary key (catalog_name, table_namespace, table_name)
            );

            create table if not exists weir_catalog.iceberg_namespace_properties (
                catalog_name   varchar(255) not null,
                namespace      varchar(255) not null,
                property_key   varchar(255) not null,
                property_value text,
                primary key (catalog_name, namespace, property_key)
            );
            """;

    private CatalogSchema() {}

    /** Creates schema and tables where they are missing; a reader needs no privilege to create. */
    static void prepare(CatalogConfig config) throws SQLException {
        try (Connection connection = CatalogConnections.connect(config);
                Statement statement = connection.createStatement()) {
            if (exists(statement)) {
                return;
            }
            connection.setAutoCommit(false);
            statement.execute(LOCK);
            statement.execute(CREATE);
            connection.commit();
        }
    }

    private static boolean exists(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery(EXISTS)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
