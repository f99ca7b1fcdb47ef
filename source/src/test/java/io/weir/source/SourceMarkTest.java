package io.weir.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What tells values that changed without a change from a table that was only written anew. */
class SourceMarkTest {
    private static final SourceMark MARK = new SourceMark(16384, 5, 1, 900, 724, false, 0);
    private static final SourceMark KEPT = new SourceMark(16384, 6, 1, 900, 726, true, 33);

    private static String difference(SourceMark before, SourceMark now) {
        return SourceMark.difference(before.text(), now.text()).orElse("none");
    }

    @Test
    void anotherColumnOrRelationDiffers() {
        assertThat(MARK.text()).isEqualTo("16384/5/1/900/724/stored/0");
        assertThat(difference(MARK, MARK)).isEqualTo("none");
        assertThat(difference(MARK, new SourceMark(16384, 6, 1, 900, 724, false, 0)))
                .contains("dropped and added again, or renamed (column=16384/6, before=16384/5)");
        assertThat(difference(MARK, new SourceMark(16385, 5, 1, 900, 724, false, 0)))
                .contains("(column=16385/5, before=16384/5)");
    }

    @Test
    void onlyAnAlteredColumnInANewFileDiffers() {
        assertThat(difference(MARK, new SourceMark(16384, 5, 1, 901, 724, false, 0)))
                .isEqualTo("none");
        assertThat(difference(MARK, new SourceMark(16384, 5, 2, 900, 725, false, 7)))
                .isEqualTo("none");
        assertThat(difference(MARK, new SourceMark(16384, 5, 1, 901, 725, false, 0)))
                .contains("altered and the table written anew")
                .contains("(file=901, before=900)");
    }

    /** A new file writes the default into older rows, which alters the column but no value. */
    @Test
    void aKeptDefaultMayBeWrittenOut() {
        assertThat(difference(KEPT, new SourceMark(16384, 6, 1, 901, 730, false, 33)))
                .isEqualTo("none");
        assertThat(difference(KEPT, new SourceMark(16384, 6, 1, 901, 730, false, 34)))
                .contains("altered and the table written anew");
        SourceMark withoutDefault = new SourceMark(16384, 6, 1, 900, 726, true, 0);
        assertThat(difference(withoutDefault, new SourceMark(16384, 6, 1, 901, 730, false, 0)))
                .contains("altered and the table written anew");
    }

    @Test
    void whatIsNotKnownDiffersFromNothing() {
        assertThat(SourceMark.difference(null, MARK.text())).isEmpty();
        assertThat(SourceMark.difference(MARK.text(), null)).isEmpty();
        assertThat(SourceMark.difference("16384/5", MARK.text())).isEmpty();
        assertThat(SourceMark.difference("a/5/1/900/724/stored/0", MARK.text())).isEmpty();
        assertThat(SourceMark.refreshed("16384/5", MARK.text())).isEqualTo("16384/5");
        assertThat(SourceMark.isNext(null, MARK.text())).isTrue();
    }

    @Test
    void aRefreshedMarkStillTellsThatColumnsCameAndWent() {
        SourceMark now = new SourceMark(16384, 5, 2, 901, 724, false, 0);
        assertThat(SourceMark.refreshed(MARK.text(), now.text()))
                .isEqualTo("16384/5/1/901/724/stored/0");
        assertThat(SourceMark.isNext(MARK.text(), KEPT.text())).isTrue();
        assertThat(SourceMark.isNext(MARK.text(), now.text())).isFalse();
    }
}
