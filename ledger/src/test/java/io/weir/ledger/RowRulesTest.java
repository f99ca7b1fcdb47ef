package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.WorkOrder;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

import java.util.List;

/** Goal: rules that are triggers keep out what check constraints and foreign keys would. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RowRulesTest {
    private static final String CHUNK = """
            {"run_id": "{run}", "partition_id": "0000", "epoch": 1, "chunk_index": 7,
             "path": "p7", "bytes": 1, "rows": 1, "digest_sum": 1, "losses": {}, "last": false,
             "state": "WRITTEN", "chunk_total": 9, "written_at": "2026-01-01T00:00:00Z"}
            """;

    private String runId = "";

    @BeforeAll
    void report() {
        RunScript script = RunScript.extracting(2);
        WorkOrder order = script.claim();
        TestBooks.ledger().reportChunks(order.claim(), List.of(RunScript.chunk(0, 4, false)));
        runId = script.id.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "state = 'LOST',partition_state_known",
        "is_null = true,partition_null_range_has_no_bounds",
        "upper_kind = null,partition_bounds_are_typed",
        "token = gen_random_uuid(),partition_token_from_first_claim",
        "ended_at = clock_timestamp(),partition_ended_exactly_when_terminal",
        "chunk_count = -1,partition_counts_are_possible",
        "digest_sum = -1,partition_digest_sum_is_128_bits",
        "lease_until = clock_timestamp(),partition_lease_exactly_when_running"
    })
    void noUpdateOfAPartitionBreaksARule(String change, String rule) {
        String where = rule.contains("bounds") ? "upper_kind is not null" : "id = '0001'";
        assertThat(broken("update weir.partition set " + change + " where run_id = '" + runId
                        + "' and " + where))
                .isEqualTo(rule);
    }

    @Test
    void aPartitionWithAnotherFormOfIdIsNotInserted() {
        assertThat(broken("insert into weir.partition select (json_populate_record("
                        + "p, '{\"id\": \"1\", \"ordinal\": 9}')).* from weir.partition as p"
                        + " where run_id = '" + runId + "' and id = '0001'"))
                .isEqualTo("partition_id_form");
    }

    @Test
    void partitionsStayWhereTheirChunksLookForThem() {
        for (String table : List.of("partition", "outside_partition")) {
            assertThat(error("delete from weir." + table + " where run_id = '" + runId + "'"))
                    .extracting(ServerErrorMessage::getTable, ServerErrorMessage::getMessage)
                    .containsExactly(table, "a partition keeps its chunks");
            assertThat(error("update weir." + table + " set id = '0002'"))
                    .extracting(ServerErrorMessage::getTable)
                    .isEqualTo(table);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "chunk,state,'\"LOST\"',chunk_state_known",
        "chunk,bytes,0,chunk_without_file_has_no_rows",
        "chunk,rows,0,chunk_without_rows_has_no_digests",
        "chunk,state,'\"VERIFIED\"',chunk_verified_is_equality",
        "chunk,bytes,-1,chunk_counts_are_possible",
        "chunk,digest_sum,-1,chunk_digest_sum_is_128_bits",
        "chunk,partition_id,'\"0009\"',chunk_of_partition",
        "outside_chunk,state,'\"LOST\"',outside_chunk_state_known",
        "outside_chunk,chunk_total,7,outside_chunk_counts_are_possible",
        "outside_chunk,partition_id,'\"0009\"',outside_chunk_of_partition"
    })
    void noChunkThatBreaksARuleIsInserted(String table, String column, String value, String rule) {
        assertThat(broken("insert into weir." + table + " select (json_populate_record("
                        + "json_populate_record(null::weir." + table + ", '"
                        + CHUNK.replace("{run}", runId) + "'), '{\"" + column + "\": " + value
                        + "}')).*"))
                .isEqualTo(rule);
    }

    @Test
    void noUpdateOfAChunkBreaksARule() {
        assertThat(broken(
                        "update weir.chunk set state = 'VERIFIED' where run_id = '" + runId + "'"))
                .isEqualTo("chunk_verified_is_equality");
    }

    private @Nullable String broken(String statement) {
        return error(statement).getConstraint();
    }

    private static ServerErrorMessage error(String statement) {
        try (Handle handle = TestBooks.jdbi().open()) {
            handle.begin();
            int rows = handle.execute(statement);
            handle.rollback();
            throw new AssertionError(rows + " rows: " + statement);
        } catch (JdbiException e) {
            if (e.getCause() instanceof PSQLException error
                    && error.getServerErrorMessage() != null) {
                return error.getServerErrorMessage();
            }
            throw e;
        }
    }
}
