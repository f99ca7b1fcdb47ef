package io.weir.core.row;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The worked example of the specification is what the code computes. */
class DigestPageTest {
    private static final Pattern BLOCK =
            Pattern.compile("```(hex|digest|balance)\n(.*?)\n```", Pattern.DOTALL);

    private final CanonicalRow row = new CanonicalRow();
    private final RowDigest digest = new RowDigest();
    private final BalanceSum sum = new BalanceSum();

    @Test
    void workedExampleIsWhatTheCodeComputes() throws IOException {
        String page = page();
        writeFirstRow();
        assertThat(blocks(page, "hex").get(0)).isEqualTo(fields());
        assertThat(blocks(page, "digest").get(0)).endsWith("digest    " + digestText());
        row.reset();
        row.putLong(1, CanonicalType.INTEGER, -1);
        row.putLong(5, CanonicalType.INTEGER, 12);
        assertThat(blocks(page, "hex").get(1)).isEqualTo(fields());
        assertThat(blocks(page, "digest").get(1)).endsWith("digest    " + digestText());
        assertThat(blocks(page, "balance")).containsExactly(sum.balance().toString());
    }

    @Test
    void pageNamesTheDigestOfTheEmptyRow() throws IOException {
        assertThat(page()).contains("has the digest `" + digestText() + "`");
    }

    @Test
    void pageNamesEveryTagAndTheVersion() throws IOException {
        String page = page();
        for (CanonicalType type : CanonicalType.values()) {
            assertThat(page).containsPattern("\n\\| " + type.tag() + " +\\| ");
        }
        assertThat(page).contains("# Digest and balance, format " + RowDigest.VERSION + "\n");
    }

    private void writeFirstRow() {
        byte[] name = "Zoë".getBytes(UTF_8);
        row.putLong(1, CanonicalType.INTEGER, 43);
        row.putBytes(2, CanonicalType.TEXT, name, 0, name.length);
        row.putDecimal(3, 120, 2);
        row.putNull(5);
    }

    private String digestText() {
        digest.compute(row);
        sum.add(digest);
        return HexFormat.of().toHexDigits(digest.high()) + HexFormat.of().toHexDigits(digest.low());
    }

    /** The bytes as the page writes them: a field per line, blanks between its parts. */
    private String fields() {
        StringBuilder text = new StringBuilder();
        HexFormat hex = HexFormat.of();
        int at = 0;
        while (at < row.length()) {
            int size = HexFormat.fromHexDigits(hex.formatHex(row.buffer(), at + 5, at + 9));
            text.append(at == 0 ? "" : "\n")
                    .append(hex.formatHex(row.buffer(), at, at + 4))
                    .append(' ')
                    .append(hex.formatHex(row.buffer(), at + 4, at + 5))
                    .append(' ')
                    .append(hex.formatHex(row.buffer(), at + 5, at + 9))
                    .append(size == 0 ? "" : " ")
                    .append(hex.formatHex(row.buffer(), at + 9, at + 9 + size));
            at += 9 + size;
        }
        return text.toString();
    }

    private static String page() throws IOException {
        return Files.readString(
                Path.of(System.getProperty("weir.root"), "docs/reference/digest.md"));
    }

    private static List<String> blocks(String page, String kind) {
        return BLOCK.matcher(page)
                .results()
                .filter(block -> block.group(1).equals(kind))
                .map(DigestPageTest::content)
                .toList();
    }

    private static String content(MatchResult block) {
        return block.group(2);
    }
}
