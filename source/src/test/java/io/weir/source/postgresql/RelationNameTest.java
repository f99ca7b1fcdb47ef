package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelationNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "orders            | public    | orders",
                "Sales.Orders      | sales     | orders",
                "SALES.IITEMS      | sales     | iitems",
                "\"My Schema\".\"T\" | My Schema | T",
                "\"a.b\".c         | a.b       | c",
                "s.\"x\"\"y\"      | s         | x\"y",
                "s.Übersicht       | s         | Übersicht",
                "select.table      | select    | table",
            })
    void readsNamesAsTheServerDoes(String text, String schema, String name) {
        assertThat(RelationName.parse(text)).isEqualTo(new RelationName(schema, name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.", ".a", "a.b.c", "a b", "\"a", "\"\"", "a\"b", "\"a\"b"})
    void refusesWhatIsNoName(String text) {
        assertThatThrownBy(() -> RelationName.parse(text))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
                .hasMessageStartingWith("Cannot read table " + text + ": it is no table name, ")
                .hasMessageEndingWith("(form=schema.table)");
    }

    @Test
    void quotesEveryIdentifierForSql() {
        assertThat(new RelationName("My \"S\"", "select").quoted())
                .isEqualTo("\"My \"\"S\"\"\".\"select\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"public.orders", "\"My Schema\".\"T\"", "s.\"x\"\"y\"", "\"a.b\".c"})
    void displaysANameThatReadsAsItself(String text) {
        RelationName name = RelationName.parse(text);
        assertThat(name).hasToString(text);
        assertThat(RelationName.parse(name.toString())).isEqualTo(name);
    }
}
