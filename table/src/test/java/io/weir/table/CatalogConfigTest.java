package io.weir.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogConfigTest {
    @Test
    void configNeverShowsASecret() {
        CatalogConfig config = new CatalogConfig(
                "weir", "jdbc:postgresql://h/d?password=geheim", "u", "geheim", "file:///w");

        assertThat(config.toString())
                .isEqualTo("CatalogConfig[name=weir, jdbcUrl=jdbc:postgresql://h/d, user=u,"
                        + " warehouse=file:///w]");
        assertThat(config.catalogUrl())
                .isEqualTo("jdbc:postgresql://h/d?password=geheim&currentSchema=weir_catalog");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lake",
                "file:/lake",
                "file:////lake",
                "file://host/lake",
                "file:///lake/",
                "lake",
                "local:///lake",
                "s3://lake"
            })
    void warehouseHasOneForm(String other) {
        assertThatThrownBy(() -> new CatalogConfig("weir", "jdbc:x", "u", null, other))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
                .hasMessage("Invalid warehouse " + other
                        + ": file:///absolute/path, no slash at its end");
    }
}
