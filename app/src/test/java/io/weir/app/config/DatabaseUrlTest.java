package io.weir.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class DatabaseUrlTest {
    @TempDir
    Path directory;

    private DatabaseUrl resolve(String url, @Nullable String user, @Nullable String password) {
        Secrets secrets = new Secrets(directory, Map.of("TOKEN", "s3cret$1")::get);
        return DatabaseUrl.of("source shop", new DatabaseConfig(url, user, password), secrets);
    }

    @Test
    void credentialsLeaveTheUrlAndOtherParametersStay() {
        DatabaseUrl url =
                resolve("jdbc:postgresql://h/d?user=u&ssl=true&password=p&x=1", null, null);

        assertThat(url.url()).isEqualTo("jdbc:postgresql://h/d?ssl=true&x=1");
        assertThat(url.user()).isEqualTo("u");
        assertThat(url.password()).isEqualTo("p");
        assertThat(url.toString()).doesNotContain("password=p");
    }

    @Test
    void referencesAreResolvedFromEnvironmentAndFile() throws Exception {
        Files.writeString(directory.resolve("user"), "reader\n");

        DatabaseUrl url = resolve("jdbc:postgresql://h/d", "${file:user}", "<${env:TOKEN}>");

        assertThat(url.user()).isEqualTo("reader");
        assertThat(url.password()).isEqualTo("<s3cret$1>");
    }

    @Test
    void missingUserAndForeignUrlAreRefused() {
        assertThatThrownBy(() -> resolve("jdbc:postgresql://h/d", null, null))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
                .hasMessage("Cannot connect to source shop: it has no user");
        assertThatThrownBy(() -> resolve("jdbc:oracle:thin:x", "u", "p"))
                .hasMessageStartingWith("Cannot use the URL of source shop");
    }
}
