package io.weir.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCodeTest {
    private static final int SENTENCE_MAX = 120;

    @ParameterizedTest
    @EnumSource
    void meaningIsOneSentence(ErrorCode code) {
        assertThat(code.meaning())
                .matches("[A-Z].*[^.]\\.")
                .hasSizeLessThanOrEqualTo(SENTENCE_MAX)
                .doesNotContain("  ", ". ");
    }

    /** A hint may begin with the command to type. */
    @ParameterizedTest
    @EnumSource
    void hintIsASentenceThatSaysWhatToDo(ErrorCode code) {
        assertThat(code.hint())
                .matches("([A-Z]|weir ).*[^.]\\.")
                .hasSizeLessThanOrEqualTo(SENTENCE_MAX)
                .doesNotContain("  ")
                .isNotEqualTo(code.meaning());
    }

    @ParameterizedTest
    @EnumSource
    void nameIsOfUpperCaseWords(ErrorCode code) {
        assertThat(code.name()).matches("[A-Z]+(_[A-Z]+)*");
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID, 2, 422",
        "NOT_FOUND, 3, 404",
        "CONFLICT, 4, 409",
        "TRANSIENT, 5, 503",
        "TERMINAL, 6, 502",
        "UNKNOWN_OUTCOME, 7, 500",
        "BUG, 70, 500"
    })
    void exitCodesAndStatusesAreStable(ErrorKind kind, int exitCode, int httpStatus) {
        assertThat(kind.exitCode()).isEqualTo(exitCode);
        assertThat(kind.httpStatus()).isEqualTo(httpStatus);
    }

    @ParameterizedTest
    @EnumSource
    void exceptionTakesTheHintOfItsCode(ErrorCode code) {
        WeirException plain = new WeirException(code, "Cannot open gate north: it is shut");
        assertThat(plain.code()).isEqualTo(code);
        assertThat(plain.hint()).isEqualTo(code.hint());
        assertThat(plain.text()).isEqualTo("Cannot open gate north: it is shut");
        WeirException hinted = new WeirException(code, "m", "Open it.", plain);
        assertThat(hinted.hint()).isEqualTo("Open it.");
        assertThat(hinted).hasCause(plain);
    }
}
