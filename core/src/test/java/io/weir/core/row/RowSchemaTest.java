package io.weir.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.util.List;

class RowSchemaTest {
    private static final Column ID =
            new Column(1, "id", "bigint", Types.LongType.get(), true, LossPolicy.FAIL);
    private static final Column NOTE =
            new Column(2, "note", "jsonb", Types.StringType.get(), false, LossPolicy.NULL);

    @Test
    void findsColumnsByName() {
        RowSchema schema = new RowSchema(List.of(ID, NOTE), List.of("id"));
        assertThat(schema.names()).containsExactly("id", "note");
        assertThat(schema.column("note")).isEqualTo(NOTE);
        assertThatThrownBy(() -> schema.column("Note"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No column Note");
    }

    @Test
    void refusesKeyThatIsNoColumn() {
        assertThatThrownBy(() -> new RowSchema(List.of(ID), List.of("id", "sku")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Key column sku is not a column");
    }

    @Test
    void columnKeepsEverythingButItsFieldId() {
        Column moved = NOTE.withFieldId(40);
        assertThat(moved)
                .isEqualTo(new Column(
                        40, "note", "jsonb", Types.StringType.get(), false, LossPolicy.NULL));
        assertThat(moved.canonicalType()).isEqualTo(CanonicalType.JSON);
    }
}
