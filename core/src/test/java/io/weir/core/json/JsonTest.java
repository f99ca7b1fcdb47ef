package io.weir.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void writesOneLineAndReadsItBack() {
        var node = Json.object().put("run", "é\n").put("rows", Long.MAX_VALUE).putNull("failure");
        assertThat(Json.line(node))
                .isEqualTo("{\"run\":\"é\\n\",\"rows\":9223372036854775807,\"failure\":null}");
        assertThat(Json.parse(Json.line(node))).isEqualTo(node);
        assertThat(Json.parse(Json.pretty(node))).isEqualTo(node);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":", "", "  ", "{} {}", "{}x", "nul"})
    void refusesTextThatIsNoJson(String text) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Invalid JSON: ");
    }
}
