package io.weir.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.json.Json;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Outbox;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.ledger.StreamLedger;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.row.Balance;
import io.weir.core.row.LossPolicy;
import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Loss;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotToken;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What goes over the line, word by word, and what is refused. */
class WireTest {
    private static final UUID ID = UUID.fromString("00000000-0000-0001-0000-000000000002");
    private static final Claim CLAIM =
            new Claim(new RunId(ID), new PartitionId("0007"), ID, Long.MAX_VALUE);
    private static final Questions.ReportChunks REPORT = new Questions.ReportChunks(
            CLAIM,
            List.of(new ChunkReport(0, 9, new Balance(3, -1, 5), List.of(new Loss("a", 2)), true)));
    private static final String WRITTEN = """
            {"claim":{"runId":"00000000-0000-0001-0000-000000000002","partitionId":"0007",\
            "token":"00000000-0000-0001-0000-000000000002","epoch":"9223372036854775807"},\
            "chunks":[{"index":0,"bytes":"9",\
            "balance":{"rows":"3","digest":"ffffffffffffffff0000000000000005"},\
            "losses":[{"column":"a","values":"2"}],"last":true}]}""";

    @Test
    void aQuestionIsOneDocument() {
        assertThat(Json.line(LedgerCalls.REPORT_CHUNKS.document(REPORT))).isEqualTo(WRITTEN);
        assertThat(LedgerCalls.REPORT_CHUNKS.asked(Json.parse(WRITTEN))).isEqualTo(REPORT);
    }

    @Test
    void anOrderComesBackAsItWas() {
        WorkOrder order = new WorkOrder(
                CLAIM,
                Duration.ofMillis(1500),
                "public.orders",
                new SnapshotToken("postgresql-snapshot", "00-1"),
                KeyRange.between(new Bound("ctid", "(0,1)"), null),
                List.of("id", "name"),
                new ReadOptions(List.of("x"), Map.of("name", LossPolicy.CLAMP)),
                "file:///lake/");
        var reply = Json.object().set(LedgerCall.ANSWER, Wire.write(Optional.of(order)));
        String text = Json.line(reply);

        assertThat(text)
                .contains("\"lease\":\"PT1.5S\"")
                .contains("\"range\":{\"lower\":{\"kind\":\"ctid\",\"text\":\"(0,1)\"},\"upper\":"
                        + "null,\"isNull\":false}")
                .contains("\"policies\":{\"name\":\"CLAMP\"}");
        assertThat(LedgerCalls.CLAIM_NEXT.read(Json.parse(text))).contains(order);
        assertThat(LedgerCalls.CLAIM_NEXT.read(Json.parse("{\"answer\":null}"))).isEmpty();
    }

    /** A newer server may say more; a newer client must not be half understood. */
    @Test
    void unknownFieldsAreForAnswersOnly() {
        String reply = "{\"answer\":{\"partitionState\":\"SUCCESS\",\"runState\":\"EXTRACTING\","
                + "\"new\":1},\"more\":2}";
        assertThat(LedgerCalls.REPORT_CHUNKS
                        .read(Json.parse(reply))
                        .partitionState()
                        .name())
                .isEqualTo("SUCCESS");
        refused(WRITTEN.replace("\"last\":true", "\"last\":true,\"more\":1"), "unknown field more");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"epoch\":\"9223372036854775807\" | \"epoch\":\"9223372036854775808\" | epoch",
                "\"epoch\":\"9223372036854775807\" | \"epoch\":1.5 | epoch: not a whole number",
                "\"epoch\":\"9223372036854775807\" | \"epoch\":null | epoch: missing",
                "\"index\":0 | \"index\":2147483648 | index: not a whole number",
                "\"0007\" | \"../7\" | partitionId: not of the form",
                "\"runId\":\"0 | \"runId\":\"x | runId: not a UUID",
                "ffffffffffffffff | ffff | digest: not 32 hexadecimal digits",
                "\"last\":true | \"last\":\"true\" | last: neither true nor false",
                "\"column\":\"a\" | \"column\":\"\\u0000\" | column: it holds a NUL",
                "\"losses\":[{ | \"losses\":[null,{ | losses/0: missing",
                "\"chunks\":[ | \"chunks\":7,\"x\":[ | unknown field x",
            })
    void whatIsNoQuestionIsRefusedByPlace(String good, String bad, String reason) {
        assertThat(WRITTEN).contains(good);
        refused(WRITTEN.replace(good, bad), reason);
    }

    private static void refused(String text, String reason) {
        assertThatThrownBy(() -> LedgerCalls.REPORT_CHUNKS.asked(Json.parse(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void peopleGiveReasonsAndListsHaveBounds() {
        String run = "{\"runId\":\"" + ID + "\",\"expected\":\"CREATED\",\"reason\":\" \"}";
        assertThatThrownBy(() -> LedgerCalls.CANCEL_RUN.asked(Json.parse(run)))
                .hasMessageContaining("reason is blank");
        assertThatThrownBy(() -> LedgerCalls.LEASE_DISPATCHES.asked(Json.parse("{\"most\":-1}")))
                .hasMessageContaining("not 1 to 100000 rows: -1");
    }

    @Test
    void everyMethodOfThePortIsACall() {
        Set<String> methods = Stream.of(Ledger.class, Outbox.class, StreamLedger.class)
                .flatMap(port -> Arrays.stream(port.getDeclaredMethods()))
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(LedgerCalls.ALL)
                .extracting(LedgerCall::name)
                .containsExactlyInAnyOrderElementsOf(methods);
    }

    @Test
    void everyCodeHasANameOfItsOwn() {
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(ErrorNames.code(ErrorNames.name(code))).contains(code);
        }
        assertThat(ErrorNames.code("DATABASE_UNAVAILABLE")).contains(ErrorCode.LEDGER_UNREACHABLE);
        assertThat(ErrorNames.code("WHATEVER")).isEmpty();
    }
}
