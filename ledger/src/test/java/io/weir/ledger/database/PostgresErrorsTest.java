package io.weir.ledger.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

import java.sql.SQLException;

class PostgresErrorsTest {
    /** The driver has no state for an answer that breaks off in the middle of a word. */
    @Test
    void anAnswerThatNobodyUnderstandsIsALedgerOutOfReach() {
        PSQLException broken = new PSQLException("Unknown Response Type", PSQLState.UNKNOWN_STATE);

        assertThat(broken.getSQLState()).isEmpty();
        assertThat(PostgresErrors.code(broken)).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(PostgresErrors.translate("open ledger host/weir", broken).text())
                .startsWith("Cannot open ledger host/weir: Unknown Response Type");
    }

    @Test
    void anErrorWithoutAStateIsALedgerOutOfReach() {
        assertThat(PostgresErrors.code(new SQLException("gone")))
                .isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
    }

    @ParameterizedTest
    @CsvSource({
        "08006, LEDGER_UNREACHABLE",
        "57P01, LEDGER_UNREACHABLE",
        "42601, LEDGER_INVARIANT",
        "4, LEDGER_INVARIANT"
    })
    void aStateSaysWhatHappened(String state, ErrorCode code) {
        assertThat(PostgresErrors.code(new SQLException("refused", state))).isEqualTo(code);
    }
}
