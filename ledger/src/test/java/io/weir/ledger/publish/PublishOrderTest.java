package io.weir.ledger.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.PublishMode;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: a run that comes late neither takes away what is newer nor stands beside it. */
class PublishOrderTest {
    @ParameterizedTest
    @CsvSource({
        "APPEND,APPEND,true,false",
        "APPEND,REPLACE,false,true",
        "APPEND,REPLACE_PARTITIONS,false,true",
        "REPLACE,APPEND,false,true",
        "REPLACE,REPLACE,false,true",
        "REPLACE,REPLACE_PARTITIONS,false,true",
        "REPLACE_PARTITIONS,APPEND,false,true",
        "REPLACE_PARTITIONS,REPLACE,false,true",
        "REPLACE_PARTITIONS,REPLACE_PARTITIONS,false,false",
        "REPLACE_PARTITIONS,REPLACE_PARTITIONS,true,true"
    })
    void aRunIsOvertaken(PublishMode mode, PublishMode newer, boolean sameKey, boolean overtaken) {
        assertThat(PublishOrder.isOvertaken(mode, newer, sameKey)).isEqualTo(overtaken);
    }
}
