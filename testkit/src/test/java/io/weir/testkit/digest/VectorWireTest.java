package io.weir.testkit.digest;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** A real server sends the wire bytes and names the types that the vectors claim. */
class VectorWireTest {
    /** Signature, flags and extension length of the COPY BINARY format. */
    private static final int COPY_HEADER = 11 + Integer.BYTES + Integer.BYTES;

    private static final TestDatabase DATABASE = TestPostgres.shared().createDatabase();

    @BeforeAll
    static void createEnum() {
        DATABASE.execute("create type mood as enum ('sad', 'very happy')");
    }

    @Test
    void serverSendsTheWireBytesOfEveryVector() throws SQLException, IOException {
        try (Connection connection = DATABASE.connect()) {
            CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
            for (DigestVector vector : reproducible()) {
                List<@Nullable String> wire = vector.fields().stream()
                        .map(VectorField::wireHex)
                        .collect(Collectors.toList());
                assertThat(fields(copy, vector)).as(vector.name()).isEqualTo(wire);
            }
        }
    }

    @Test
    void serverNamesTheSourceTypesOfEveryVector() throws SQLException {
        try (Connection connection = DATABASE.connect();
                Statement statement = connection.createStatement()) {
            for (DigestVector vector : reproducible()) {
                statement.execute("create temporary table probe as " + select(vector));
                String types = vector.fields().stream()
                        .map(VectorField::sourceType)
                        .collect(Collectors.joining("|"));
                assertThat(typesOfProbe(statement)).as(vector.name()).isEqualTo(types);
                statement.execute("drop table probe");
            }
        }
    }

    private static String typesOfProbe(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("""
                        select string_agg(format_type(atttypid, atttypmod), '|' order by attnum)
                        from pg_attribute where attrelid = 'probe'::regclass and attnum > 0""")) {
            row.next();
            return row.getString(1);
        }
    }

    /** All but the values that no expression makes, such as a NaN with a payload. */
    private static List<DigestVector> reproducible() {
        List<DigestVector> vectors = DigestVectors.all().stream()
                .filter(v -> v.fields().stream().allMatch(f -> f.postgresql() != null))
                .toList();
        assertThat(DigestVectors.all().size() - vectors.size()).isEqualTo(4);
        return vectors;
    }

    private static String select(DigestVector vector) {
        List<String> columns = new ArrayList<>();
        for (VectorField field : vector.fields()) {
            columns.add(field.postgresql() + " as c" + field.fieldId());
        }
        return "select " + String.join(", ", columns);
    }

    private static List<@Nullable String> fields(CopyManager copy, DigestVector vector)
            throws SQLException, IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        copy.copyOut("copy (" + select(vector) + ") to stdout (format binary)", out);
        ByteBuffer bytes =
                ByteBuffer.wrap(out.toByteArray(), COPY_HEADER, out.size() - COPY_HEADER);
        List<@Nullable String> fields = new ArrayList<>();
        int count = bytes.getShort();
        for (int i = 0; i < count; i++) {
            int length = bytes.getInt();
            if (length < 0) {
                fields.add(null);
                continue;
            }
            byte[] value = new byte[length];
            bytes.get(value);
            fields.add(HexFormat.of().formatHex(value));
        }
        return fields;
    }
}
