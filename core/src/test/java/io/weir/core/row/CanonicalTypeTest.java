package io.weir.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalTypeTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    boolean        | boolean                     | BOOLEAN
                    int            | smallint                    | INTEGER
                    int            | integer                     | INTEGER
                    long           | bigint                      | INTEGER
                    float          | real                        | FLOATING
                    double         | double precision            | FLOATING
                    decimal(12, 2) | numeric(12,2)               | DECIMAL
                    string         | text                        | TEXT
                    string         | character varying           | TEXT
                    string         | character varying(5)        | TEXT
                    string         | mood                        | TEXT
                    string         | "character"                 | TEXT
                    string         | "json"                      | TEXT
                    string         | numeric                     | TEXT
                    string         | character(5)                | PADDED_TEXT
                    string         | character                   | PADDED_TEXT
                    string         | bpchar                      | PADDED_TEXT
                    string         | json                        | JSON
                    string         | jsonb                       | JSON
                    binary         | bytea                       | BINARY
                    fixed[16]      | bytea                       | BINARY
                    date           | date                        | DATE
                    time           | time without time zone      | TIME
                    timestamp      | timestamp without time zone | TIMESTAMP
                    timestamptz    | timestamp with time zone    | TIMESTAMP_TZ
                    uuid           | uuid                        | UUID
                    """)
    void everyPairOfTypesHasItsForm(String iceberg, String source, CanonicalType expected) {
        assertThat(CanonicalType.of(Types.fromPrimitiveString(iceberg), source))
                .isEqualTo(expected);
    }

    @Test
    void refusesTypesWithoutForm() {
        assertThatThrownBy(() -> CanonicalType.of(Types.TimestampNanoType.withZone(), "timestamp"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No canonical form for Iceberg type timestamptz_ns");
        assertThatThrownBy(() -> CanonicalType.of(
                        Types.ListType.ofOptional(1, Types.LongType.get()), "bigint[]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No canonical form for Iceberg type list<long>");
    }

    @Test
    void tagsAreThoseOfTheSpecification() {
        assertThat(CanonicalType.values())
                .extracting(CanonicalType::tag)
                .containsExactly(1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12);
        assertThat(CanonicalType.NULL_TAG).isZero();
    }
}
