package io.weir.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.app.Composition;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.LedgerSettings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** One key of the job file sets every time that has to do with silence. */
class LeaseTest {
    @TempDir
    Path directory;

    @Test
    void nothingSaidIsTheDefault() throws IOException {
        try (Composition house = Composition.of(directory, read(""))) {
            assertThat(house.ledgerSettings()).isEqualTo(LedgerSettings.DEFAULTS);
            assertThat(house.loadSettings(2).lease())
                    .isEqualTo(LedgerSettings.DEFAULTS.claimLease())
                    .isEqualTo(Duration.ofSeconds(30));
        }
    }

    @Test
    void everyTimeIsInProportion() throws IOException {
        try (Composition house = Composition.of(directory, read("lease: 3s\n"))) {
            LedgerSettings settings = house.ledgerSettings();
            assertThat(settings.claimLease()).isEqualTo(Duration.ofSeconds(3));
            assertThat(settings.grace()).isEqualTo(Duration.ofSeconds(3));
            assertThat(settings.dispatchLease()).isEqualTo(Duration.ofSeconds(6));
            assertThat(settings.dispatch().ackTimeout()).isEqualTo(Duration.ofSeconds(12));
            assertThat(settings.dispatch().backoffMin()).isEqualTo(Duration.ofMillis(500));
            assertThat(house.loadSettings(2).lease()).isEqualTo(Duration.ofSeconds(3));
        }
    }

    @Test
    void leaseThatAPauseOutlastsIsRefused() {
        assertThatThrownBy(() -> read("lease: 1s\n"))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
                .hasMessageContaining("lease is 1s, must be 2s or more");
    }

    private JobFile read(String lease) throws IOException {
        return JobFileReader.read(Files.writeString(directory.resolve("job.yaml"), lease + """
                lake: { warehouse: ./lake }
                sources:
                  shop: { url: "jdbc:postgresql://localhost/shop", user: weir }
                jobs:
                  orders:
                    load: { source: shop, table: public.orders, into: sales.orders }
                    publish: replace
                """));
    }
}
