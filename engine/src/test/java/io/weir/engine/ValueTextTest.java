package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValueTextTest {
    @Test
    void datesHaveFourDigitsOfYearOrMore() {
        assertThat(ValueText.date(0)).isEqualTo("1970-01-01");
        assertThat(ValueText.date(EveryType.YEAR_1)).isEqualTo("0001-01-01");
        assertThat(ValueText.date(EveryType.YEAR_9999_END)).isEqualTo("9999-12-31");
        assertThat(ValueText.date(EveryType.YEAR_9999_END + 1L)).isEqualTo("10000-01-01");
        assertThat(ValueText.date(EveryType.YEAR_1 - 1L)).isEqualTo("0000-12-31");
        assertThat(ValueText.date(EveryType.YEAR_1 - 367L)).isEqualTo("-0001-12-31");
    }

    @Test
    void timesHaveSixDigitsOfSecond() {
        assertThat(ValueText.time(0)).isEqualTo("00:00:00.000000");
        assertThat(ValueText.time(EveryType.DAY_MICROS - 1)).isEqualTo("23:59:59.999999");
        assertThat(ValueText.time(EveryType.DAY_MICROS)).isEqualTo("24:00:00.000000");
        assertThat(ValueText.time(3_723_000_004L)).isEqualTo("01:02:03.000004");
    }

    @Test
    void timestampsBeforeTheEpochCountForward() {
        assertThat(ValueText.timestamp(-1)).isEqualTo("1969-12-31T23:59:59.999999");
        assertThat(ValueText.timestamp(0)).isEqualTo("1970-01-01T00:00:00.000000");
    }
}
