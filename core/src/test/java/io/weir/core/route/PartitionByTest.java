package io.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class PartitionByTest {
    private static final List<Column> COLUMNS = List.of(
            column(1, "id", Types.LongType.get()),
            column(2, "created_at", Types.TimestampType.withZone()),
            column(3, "day", Types.DateType.get()),
            column(4, "region", Types.StringType.get()),
            column(5, "ratio", Types.DoubleType.get()));

    private static Column column(int id, String name, Type type) {
        return new Column(id, name, "any", type, false, LossPolicy.FAIL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "day(created_at)",
                "region",
                "day(created_at), bucket(16, id), region",
                "truncate(4, \"odd, (name)\"), \"with \"\" quote\"",
                "hour(\"Created At\")",
                "day",
            })
    void readsWhatItWrites(String text) {
        assertThat(PartitionBy.parse(text)).hasToString(text);
    }

    @Test
    void readsWhatPeopleWrite() {
        assertThat(PartitionBy.parse(" BUCKET( 16 ,id ) ,DAY(created_at),  a b "))
                .isEqualTo(new PartitionBy(List.of(
                        new PartitionField(PartitionTransform.BUCKET, 16, "id"),
                        PartitionField.of(PartitionTransform.DAY, "created_at"),
                        PartitionField.of(PartitionTransform.IDENTITY, "a b"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "week(day)|unknown transform \"week\"",
                "identity(day)|unknown transform \"identity\"",
                "bucket(id)|needs a number: bucket(16, id)",
                "day(3, created_at)|takes no number: day(created_at)",
                "bucket(0, id)|Invalid width 0",
                "day(created_at|\"(created_at\" on",
                "a,,b|\",b\" on",
                "a,|\"\" on",
            })
    void saysWhatCannotBeRead(String text, String reason) {
        assertThatThrownBy(() -> PartitionBy.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nowhere|there is no column nowhere",
                "hour(day)|a column of type date cannot be partitioned by hour(day)",
                "day(region)|a column of type string cannot be partitioned by day(region)",
                "ratio|a column of type double cannot be partitioned by ratio",
                "bucket(4, ratio)|a column of type double cannot be partitioned by bucket(4,",
                "day(created_at), month(created_at)|month(created_at) tells nothing that",
                "region, region|region tells nothing that",
            })
    void namesProblems(String text, String problem) {
        assertThat(PartitionBy.parse(text).problems(COLUMNS))
                .singleElement()
                .asString()
                .startsWith(problem);
    }

    @Test
    void hasNoProblemWithWhatIcebergCanDo() {
        String text = "day(created_at), bucket(16, id), truncate(3, region), year(day), day, id";
        assertThat(PartitionBy.parse(text).problems(COLUMNS)).isEmpty();
    }

    @Test
    void printsRoutesForPeople() {
        PartitionBy by = PartitionBy.parse("day(created_at), bucket(16, id), region");
        assertThat(by.text(Route.of(20_786, 3, null), COLUMNS))
                .isEqualTo("day(created_at)=2026-11-29, bucket(16, id)=3, region=NULL");
    }
}
