package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;

class DuckdbSqlTest {
    @Test
    void quotesNamesAndTexts() {
        assertThat(DuckdbSql.identifier("a\"b'c")).isEqualTo("\"a\"\"b'c\"");
        assertThat(DuckdbSql.literal("a\"b'c\\n")).isEqualTo("'a\"b''c\\n'");
        assertThatThrownBy(() -> DuckdbSql.literal("a\0b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid text: it holds the character U+0000");
    }

    @Test
    void escapesPatternsOnlyWherePathsAreRead() {
        Path path = Path.of("/lake/it's [1]*?.parquet");

        assertThat(DuckdbSql.path(path)).isEqualTo("'/lake/it''s [1]*?.parquet'");
        assertThat(DuckdbSql.pattern(path)).isEqualTo("'/lake/it''s [[]1][*][?].parquet'");
    }

    @Test
    void refusesTypesThatItDoesNotWrite() {
        assertThatThrownBy(() -> DuckdbSql.type(Types.FixedType.ofLength(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No Parquet form for type fixed[3]");
    }
}
